"""Count what the files of an import hold and no record does, and gather what they say was deleted."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from abhidhan.records.import_records import Deletion, Fault, Loss, Placed


class LostField(msgspec.Struct, frozen=True):
    """How many values of a field of the files are kept in no record, and the first of them."""

    times: int
    example: Loss


class Losses:
    """Takes losses out of a stream of records, and counts them by field."""

    def __init__(self, on_lost: Callable[[Loss], None] = lambda _: None) -> None:
        """Begin with none. `on_lost` is called with each loss."""
        self._fields: dict[str, LostField] = {}
        self._on_lost = on_lost
        self.deletions: list[Deletion] = []
        """What the files say was deleted."""

    def take(self, loss: Loss) -> None:
        """Count a loss."""
        self._on_lost(loss)
        known = self._fields.get(loss.field)
        self._fields[loss.field] = LostField(known.times + 1, known.example) if known else LostField(1, loss)

    def watch(self, found: Iterable[Placed | Fault | Loss | Deletion]) -> Iterator[Placed | Fault]:
        """Pass on what is no loss and no deletion."""
        for one in found:
            if isinstance(one, Loss):
                self.take(one)
            elif isinstance(one, Deletion):
                self.deletions.append(one)
            else:
                yield one

    @property
    def fields(self) -> tuple[LostField, ...]:
        """The fields with losses, in the order in which they were found."""
        return tuple(self._fields.values())
