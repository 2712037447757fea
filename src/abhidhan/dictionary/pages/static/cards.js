// Flashcards: a card is shown, turned, and moved to the next box or back to the first one (card-progress.js).
import { readAll, readProgress, recordAnswer, resetCards, startedCards, today } from "./card-progress.js";
import { formatNumber } from "./formatting.js";
import { playButton } from "./play.js";

const REPEAT_AFTER = 3; // cards until one that was not known is shown again
const SWIPE = 60; // least distance in pixels

export function init(container) {
  const list = document.querySelector(".cards");
  const cards = [...list.children].map(readCard);
  resetRemovedCards(cards);
  list.hidden = true;
  container.hidden = false;
  new Player(container, cards);
}

function readCard(item) {
  return {
    id: item.dataset.card,
    set: item.dataset.progress,
    asksForPicture: "asksForPicture" in item.dataset, // otherwise the picture would reveal the answer
    picture: item.querySelector("img, .emoji"),
    question: [...item.querySelector("summary").querySelectorAll(".word, .roman")],
    answer: item.querySelector(".answer"),
  };
}

// Resets cards that were removed from their set, so that they are no longer due. The URL names a set, or single cards.
function resetRemovedCards(cards) {
  const params = new URLSearchParams(location.search);
  const shown = new Set(cards.map(({ id }) => id));
  const set = params.get("set");
  if (set) resetCards(set, startedCards(readProgress(set)).filter((id) => !shown.has(id)));
  const missing = (params.get("cards") ?? "").split(",").filter((id) => !shown.has(id));
  for (const name of Object.keys(readAll())) if (name !== "list") resetCards(name, missing);
}

class Player {
  constructor(container, cards) {
    Object.assign(this, { container, cards });
    for (const name of ["card", "turn", "answer", "grades", "know", "again", "end", "due", "restart", "reset", "status"]) {
      this[`${name}Part`] = container.querySelector(`[data-${name}]`);
    }
    this.bar = document.querySelector("[data-bar]");
    this.bar.hidden = false;
    this.addListeners();
    this.start(false);
  }

  addListeners() {
    this.turnPart.addEventListener("click", () => this.turn());
    this.knowPart.addEventListener("click", () => this.grade(true));
    this.againPart.addEventListener("click", () => this.grade(false));
    this.restartPart.addEventListener("click", () => this.startAgain());
    this.resetPart.addEventListener("click", () => {
      for (const { set, id } of this.cards) resetCards(set, [id]);
      this.startAgain();
    });
    document.addEventListener("keydown", (event) => this.handleKey(event));
    let from = null;
    this.cardPart.addEventListener("pointerdown", (event) => { from = event.clientX; });
    this.cardPart.addEventListener("pointerup", (event) => {
      const distance = from === null ? 0 : event.clientX - from;
      from = null;
      if (!this.isOpen) this.turn();
      else if (Math.abs(distance) > SWIPE) this.grade(distance > 0);
    });
  }

  progressOf({ set, id }) {
    return readProgress(set)[id];
  }

  start(includeAll) {
    const day = today();
    this.queue = this.cards.filter((card) => includeAll || (this.progressOf(card)?.due ?? 0) <= day);
    this.bar.max = Math.max(1, this.queue.length);
    this.showNext();
  }

  startAgain() {
    this.start(true);
    this.turnPart.focus();
  }

  showNext() {
    const [card] = this.queue;
    this.isOpen = false;
    this.bar.value = this.bar.max - this.queue.length;
    document.querySelector("[data-position]").textContent = this.container.dataset.of
      .replace("{count}", formatNumber(this.bar.value)).replace("{all}", formatNumber(this.bar.max));
    this.cardPart.hidden = this.turnPart.hidden = !card;
    this.answerPart.hidden = this.gradesPart.hidden = true;
    this.endPart.hidden = Boolean(card);
    this.statusPart.textContent = "";
    if (card) this.cardPart.replaceChildren(...[card.asksForPicture && card.picture, ...card.question].filter(Boolean));
    else this.finish();
  }

  turn() {
    const [card] = this.queue;
    if (this.isOpen || !card) return;
    this.isOpen = true;
    if (card.picture) this.cardPart.prepend(card.picture);
    this.answerPart.replaceChildren(...card.answer.cloneNode(true).children);
    for (const link of this.answerPart.querySelectorAll("a[data-play]")) link.replaceWith(playButton(link));
    this.turnPart.hidden = true;
    this.answerPart.hidden = this.gradesPart.hidden = false;
    const word = this.answerPart.querySelector("a");
    this.statusPart.lang = word.lang;
    this.statusPart.textContent = word.textContent;
    if (document.activeElement === document.body || this.container.contains(document.activeElement)) this.knowPart.focus();
  }

  grade(known) {
    const card = this.queue.shift();
    recordAnswer(card.set, card.id, known);
    if (!known) this.queue.splice(REPEAT_AFTER, 0, card);
    this.showNext();
    if (this.queue.length) this.turnPart.focus();
  }

  finish() {
    const due = Math.min(...this.cards.map((card) => this.progressOf(card)?.due ?? 0));
    const days = due - today();
    const { tomorrow, later } = this.container.dataset;
    this.duePart.textContent = days === 1 ? tomorrow : later.replace("{}", formatNumber(days));
    this.duePart.hidden = days < 1;
    this.statusPart.lang = document.documentElement.lang;
    this.statusPart.textContent = this.endPart.querySelector(".lead").textContent;
    this.restartPart.focus({ preventScroll: true });
  }

  handleKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.queue.length) return;
    const key = event.key.toLowerCase();
    if (key === " " && !this.isOpen && !event.target.closest("button, a")) this.turn();
    else if (this.isOpen && (key === "arrowright" || key === "k")) this.grade(true);
    else if (this.isOpen && (key === "arrowleft" || key === "j")) this.grade(false);
    else return;
    event.preventDefault();
  }
}
