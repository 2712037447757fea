"""Pictures are made one at a time, kept while there is room, and refused where too many wait."""

import asyncio
import threading

import pytest

from abhidhan.domain.preview_cards import CardText, PreviewCard
from abhidhan.errors import UnavailableError
from abhidhan.services import previews
from abhidhan.services.previews import MOST_WAITING, Previews


def card(text: str) -> PreviewCard:
    return PreviewCard(CardText("Assamese"), CardText(text, "as"))


class Drawing:
    """Draws nothing, slowly or at once, and remembers what was asked for."""

    def __init__(self, size: int = 100) -> None:
        """Give pictures of so many bytes."""
        self.drawn: list[str] = []
        self.at_once = self.most_at_once = 0
        self.may_go_on = threading.Event()
        self.size = size

    def draw(self, asked: PreviewCard) -> bytes:
        """Draw a card when that is allowed."""
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.may_go_on.wait(10)
        self.drawn.append(asked.head.text)
        self.at_once -= 1
        return b"x" * self.size


def test_a_picture_is_drawn_once_for_all_who_ask_and_one_at_a_time() -> None:
    async def ask() -> None:
        asked = [making.picture_of(card(text)) for text in ("ক", "খ", "ক", "খ", "ক")]
        drawing.may_go_on.set()
        await asyncio.gather(*asked)

    drawing = Drawing()
    making = Previews(drawing.draw, clock=lambda: 0.0)
    asyncio.run(ask())

    assert drawing.drawn == ["ক", "খ"]
    assert drawing.most_at_once == 1


def test_who_comes_when_too_many_wait_is_asked_to_come_again() -> None:
    async def ask() -> list[bytes | BaseException]:
        asked = [asyncio.create_task(making.picture_of(card(str(number)))) for number in range(MOST_WAITING + 5)]
        await asyncio.sleep(0)
        drawing.may_go_on.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    drawing = Drawing()
    making = Previews(drawing.draw, clock=lambda: 0.0)
    answers = asyncio.run(ask())

    refused = [each for each in answers if isinstance(each, UnavailableError)]
    assert len(refused) == 5
    assert len(drawing.drawn) == MOST_WAITING
    assert refused[0].retry_after > 0


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(*texts: str) -> None:
        for text in texts:
            await making.picture_of(card(text))

    monkeypatch.setattr(previews, "MOST_BYTES", 250)
    drawing = Drawing()
    drawing.may_go_on.set()
    making = Previews(drawing.draw, clock=lambda: 0.0)
    asyncio.run(ask("ক", "খ", "ক", "গ", "ক", "খ"))

    assert drawing.drawn == ["ক", "খ", "গ", "খ"]


def test_after_a_picture_there_is_a_rest_as_long_as_three() -> None:
    rests: list[float] = []

    async def ask() -> None:
        await making.picture_of(card("ক"))
        await making.picture_of(card("খ"))

    async def rest(seconds: float) -> None:  # stands for asyncio.sleep
        rests.append(seconds)

    def draw(_: PreviewCard) -> bytes:
        return b"x"

    moments = iter([0.0, 10.0, 12.0, 15.0, 16.0, 17.0])
    making = Previews(draw, clock=lambda: next(moments))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "sleep", rest)
        asyncio.run(ask())

    assert rests == [0.0, 12.0 + 3 * 2.0 - 15.0]


def test_a_card_that_tells_something_else_has_another_tag() -> None:
    assert Previews.tag_of(card("ক")) == Previews.tag_of(card("ক"))
    assert Previews.tag_of(card("ক")) != Previews.tag_of(card("খ"))
