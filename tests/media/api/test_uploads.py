import asyncio

import pytest

from abhidhan.media.service.uploads import UploadLimiter


@pytest.mark.parametrize(("workers", "of_all", "of_one"), [(1, 16, 4), (4, 4, 1), (32, 1, 1)])
def test_each_worker_accepts_its_share_of_concurrent_uploads(workers: int, of_all: int, of_one: int) -> None:
    gate = UploadLimiter(workers)
    inside: list[int] = []
    most: list[tuple[int, int]] = []

    async def upload(person: int) -> None:
        async with gate.slot(person):
            inside.append(person)
            most.append((len(inside), inside.count(person)))
            await asyncio.sleep(0.001)
            inside.remove(person)

    async def everybody() -> None:
        await asyncio.gather(*(upload(person) for person in range(5) for _ in range(5)))

    asyncio.run(everybody())

    assert len(most) == 25
    assert max(all_of_them for all_of_them, _ in most) == of_all
    assert max(of_a_person for _, of_a_person in most) == of_one
