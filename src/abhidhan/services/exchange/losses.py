"""Count what the files of an import hold and no record does."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from abhidhan.domain.incoming import Fault, Loss, Placed


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

    def watch(self, found: Iterable[Placed | Fault | Loss]) -> Iterator[Placed | Fault]:
        """Pass on what is no loss."""
        for one in found:
            if isinstance(one, Loss):
                self._on_lost(one)
                known = self._fields.get(one.field)
                self._fields[one.field] = LostField(known.times + 1, known.example) if known else LostField(1, one)
            else:
                yield one

    @property
    def fields(self) -> tuple[LostField, ...]:
        """The fields with losses, in the order in which they were found."""
        return tuple(self._fields.values())
