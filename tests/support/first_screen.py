"""Measurement of the first screen of a page, by a script that runs in any browser."""

from typing import Final
from urllib.parse import quote

QUERIES: Final = (
    *("water", "পানী", "clear", "mobile phone", "to understand", "it is raining", "khowa", "watter", "mother in law"),
    "আশাত চেঁচা পানী পৰা",
)
"""Queries of each kind: words, a form, a misspelling, several words, and a proverb."""

MAX_ANSWER_OFFSET: Final = 320
"""Maximum offset of the first answer's lower edge, in CSS pixels, on a screen of 360 × 640."""

MEASURE_SCRIPT: Final = """(() => {
  const answer = document.querySelector(".entry .sense .answer");
  const word = answer.querySelector("a, [lang]") ?? answer;
  const sense = answer.closest(".sense");
  const seen = (element) => element.checkVisibility() && !element.closest("dialog");
  const isWord = (link) => link.matches("a") && new URL(link.href).pathname.startsWith("/dic/");
  const isLaterSound = (link) => link.matches(".play") && link !== sense.querySelector(".play");
  return {
    bottom: Math.ceil(answer.getBoundingClientRect().bottom + scrollY),
    size: parseFloat(getComputedStyle(answer).fontSize),
    text: word.textContent.trim(),
    bar: document.querySelector(".site-header").offsetHeight,
    mark: document.querySelector(".site-header .logo img").offsetWidth,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    controls: [...sense.querySelectorAll("a, button, summary")]
      .filter((each) => seen(each) && !isWord(each) && !isLaterSound(each)).length,
  };
})()"""

IS_IN_ENTRY: Final = "Boolean(document.activeElement?.closest('.entry'))"


def format_page_path(query: str) -> str:
    """Return the path of the page of a query."""
    return f"/dic/{quote(query)}"
