"""Queues of files, photos and recordings alike: what waits is shown, decided on, and a decision is taken back."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Final, Protocol

import msgspec
from litestar import Response
from litestar.params import QueryParameter

from abhidhan.domain.history import Action, RecordName
from abhidhan.domain.ids import GREATEST_ID
from abhidhan.domain.people import Permission, Person
from abhidhan.domain.submissions import LONGEST_REASON
from abhidhan.errors import AbhidhanError, ConflictError, InputError, sentence
from abhidhan.services.dictionary.dictionary import Dictionary
from abhidhan.web.pages.addresses import with_query
from abhidhan.web.pages.forms import Form
from abhidhan.web.pages.rendering import PageRequest, Pages, lead_to
from abhidhan.web.pages.staff import NOT_KEPT, StaffContext, handle_staff_form

FILES_ON_A_PAGE: Final = 20
NOTHING_TO_UNDO: Final = sentence("This has not been decided on, or no longer: there is nothing to undo.")

Done = Annotated[str, QueryParameter(max_length=20)]
Decided = Annotated[int, QueryParameter(ge=0, le=GREATEST_ID, name="id")]
"""What was done just now, and with which file: parameters of the address of a queue."""


class DecidesOnFiles(Protocol):
    """A service that decides on files of one kind, by their IDs."""

    async def approve(self, person: Person, number: int, /) -> object: ...  # noqa: D102 (of the service)

    async def reject(self, person: Person, number: int, reason: str, /) -> object: ...  # noqa: D102

    async def withdraw(self, person: Person, number: int, /) -> object: ...  # noqa: D102


class FileQueue(msgspec.Struct, frozen=True):
    """The queue of one kind of files: its name in the history, its address and template, and what it is made from.

    `read` lists the first that wait, as the template shows them, and counts all. `decisions` are the actions of the
    history that can be taken back here; `withdrawn` is what the account page is told when a sender takes one back.
    """

    kind: str
    address: str
    template: str
    decisions: frozenset[Action]
    withdrawn: str
    service: Callable[[PageRequest], DecidesOnFiles]
    read: Callable[[StaffContext], Awaitable[tuple[Sequence[object], int]]]

    async def page(
        self, staff: StaffContext, *, done: str = "", decided: int = 0, error: AbhidhanError | None = None
    ) -> Response[str]:
        """Show what waits, and what was done just now with the file `decided`."""
        waiting, total = await self.read(staff)
        values = {
            "waiting": waiting,
            "total": total,
            "queue": self,
            "done": done,
            "decided": decided,
            "form": Form().refused(error) if error else Form(),
            "longest_reason": LONGEST_REASON,
        }
        return staff.show(self.template, values, error)

    async def decide(self, request: PageRequest, dictionary: Dictionary, pages: Pages, number: int) -> Response[str]:
        """Approve or reject a file, as the form says."""

        async def work(staff: StaffContext, form: Form) -> Response[str]:
            service, approved = self.service(request), form.value("decision") == "approve"
            try:
                if approved:
                    await service.approve(staff.person, number)
                else:
                    await service.reject(staff.person, number, form.value("reason"))
            except (ConflictError, InputError) as error:
                return await self.page(staff, error=error)
            return self._lead("approved" if approved else "rejected", number)

        return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, work)

    async def undo(self, request: PageRequest, dictionary: Dictionary, pages: Pages, number: int) -> Response[str]:
        """Take a decision back: the file waits again."""

        async def work(staff: StaffContext, _form: Form) -> Response[str]:
            try:
                await staff.services.editing.undo(staff.person, await self._newest_decision(staff, number))
            except ConflictError as error:
                return await self.page(staff, error=error)
            return self._lead("undone", number)

        return await handle_staff_form(request, dictionary, pages, Permission.REVIEW, work)

    async def _newest_decision(self, staff: StaffContext, number: int) -> int:
        """Return the ID of the entry that tells of the decision on a file. Raises ConflictError.

        Something else may have been done since by which the file was touched: that is not undone here.
        """
        newest = await staff.services.editing.history_of(RecordName(self.kind, str(number)), 1)
        if not newest or newest[0].action is None or newest[0].action.id not in self.decisions:
            raise ConflictError(NOTHING_TO_UNDO)
        return newest[0].id

    def _lead(self, done: str, number: int) -> Response[str]:
        return lead_to(with_query(self.address, done=done, id=number), headers=NOT_KEPT)

    async def withdraw(self, request: PageRequest, dictionary: Dictionary, pages: Pages, number: int) -> Response[str]:
        """Take one's own file back."""

        async def work(staff: StaffContext, _form: Form) -> Response[str]:
            await self.service(request).withdraw(staff.person, number)
            return lead_to(with_query("/account", done=self.withdrawn), headers=NOT_KEPT)

        return await handle_staff_form(request, dictionary, pages, None, work)
