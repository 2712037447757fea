import asyncio
from pathlib import Path

from abhidhan.web.edge.slots import SharedSlots
from abhidhan.web.uploads import Gate


def test_two_workers_let_in_as_many_uploads_together_as_one_alone(tmp_path: Path) -> None:
    gates = [Gate(places=3, of_one=2, shared=SharedSlots(tmp_path, "held", workers=2)) for _ in range(2)]
    inside: list[int] = []
    most: list[tuple[int, int]] = []

    async def upload(gate: Gate, person: int) -> None:
        async with gate.passing(person):
            inside.append(person)
            most.append((len(inside), inside.count(person)))
            await asyncio.sleep(0.01)
            inside.remove(person)

    async def everybody() -> None:
        await asyncio.gather(*(upload(gate, person) for gate in gates for person in (1, 1, 1, 2, 2, 3)))

    asyncio.run(everybody())

    assert len(most) == 12
    assert max(all_of_them for all_of_them, _ in most) <= 3
    assert max(of_one for _, of_one in most) <= 2
