// Flashcards: a card is shown, turned, and moved to the next box or back to the first one (card-progress.js).
import { answer, readAll, readProgress, reset, seenCards, today } from "./card-progress.js";
import { number } from "./formatting.js";
import { playButton } from "./play.js";

const REPEAT_AFTER = 3; // cards until one that was not known is shown again
const SWIPE = 60; // least distance in pixels

export function begin(place) {
  const list = document.querySelector(".cards");
  const cards = [...list.children].map(readCard);
  forgetRemoved(cards);
  list.hidden = true;
  place.hidden = false;
  new Player(place, cards);
}

function readCard(item) {
  return {
    id: item.dataset.card,
    set: item.dataset.progress,
    asksForPicture: "asks" in item.dataset, // otherwise the picture would reveal the answer
    picture: item.querySelector("img, .emoji"),
    question: [...item.querySelector("summary").querySelectorAll(".word, .roman")],
    answer: item.querySelector(".answer"),
  };
}

// Resets cards that were removed from their set, so that they are no longer due. The URL names a set, or single cards.
function forgetRemoved(cards) {
  const params = new URLSearchParams(location.search);
  const shown = new Set(cards.map(({ id }) => id));
  const set = params.get("set");
  if (set) reset(set, seenCards(readProgress(set)).filter((id) => !shown.has(id)));
  const missing = (params.get("cards") ?? "").split(",").filter((id) => !shown.has(id));
  for (const each of Object.keys(readAll())) if (each !== "list") reset(each, missing);
}

class Player {
  constructor(place, cards) {
    Object.assign(this, { place, cards });
    for (const name of ["card", "turn", "answer", "both", "know", "again", "end", "when", "restart", "reset", "said"]) {
      this[`${name}Part`] = place.querySelector(`[data-${name}]`);
    }
    this.bar = document.querySelector("[data-bar]");
    this.bar.hidden = false;
    this.listen();
    this.start(false);
  }

  listen() {
    this.turnPart.addEventListener("click", () => this.turn());
    this.knowPart.addEventListener("click", () => this.decide(true));
    this.againPart.addEventListener("click", () => this.decide(false));
    this.restartPart.addEventListener("click", () => this.startAgain());
    this.resetPart.addEventListener("click", () => {
      for (const { set, id } of this.cards) reset(set, [id]);
      this.startAgain();
    });
    document.addEventListener("keydown", (event) => this.press(event));
    let from = null;
    this.cardPart.addEventListener("pointerdown", (event) => { from = event.clientX; });
    this.cardPart.addEventListener("pointerup", (event) => {
      const distance = from === null ? 0 : event.clientX - from;
      from = null;
      if (!this.isOpen) this.turn();
      else if (Math.abs(distance) > SWIPE) this.decide(distance > 0);
    });
  }

  progressOf({ set, id }) {
    return readProgress(set)[id];
  }

  start(withAll) {
    const day = today();
    this.queue = this.cards.filter((card) => withAll || (this.progressOf(card)?.due ?? 0) <= day);
    this.bar.max = Math.max(1, this.queue.length);
    this.ask();
  }

  startAgain() {
    this.start(true);
    this.turnPart.focus();
  }

  ask() {
    const [card] = this.queue;
    this.isOpen = false;
    this.bar.value = this.bar.max - this.queue.length;
    document.querySelector("[data-place]").textContent = this.place.dataset.of
      .replace("{count}", number(this.bar.value)).replace("{all}", number(this.bar.max));
    this.cardPart.hidden = this.turnPart.hidden = !card;
    this.answerPart.hidden = this.bothPart.hidden = true;
    this.endPart.hidden = Boolean(card);
    this.saidPart.textContent = "";
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
    this.answerPart.hidden = this.bothPart.hidden = false;
    const word = this.answerPart.querySelector("a");
    this.saidPart.lang = word.lang;
    this.saidPart.textContent = word.textContent;
    if (document.activeElement === document.body || this.place.contains(document.activeElement)) this.knowPart.focus();
  }

  decide(known) {
    const card = this.queue.shift();
    answer(card.set, card.id, known);
    if (!known) this.queue.splice(REPEAT_AFTER, 0, card);
    this.ask();
    if (this.queue.length) this.turnPart.focus();
  }

  finish() {
    const due = Math.min(...this.cards.map((card) => this.progressOf(card)?.due ?? 0));
    const days = due - today();
    const { tomorrow, later } = this.place.dataset;
    this.whenPart.textContent = days === 1 ? tomorrow : later.replace("{}", number(days));
    this.whenPart.hidden = days < 1;
    this.saidPart.lang = document.documentElement.lang;
    this.saidPart.textContent = this.endPart.querySelector(".lead").textContent;
    this.restartPart.focus({ preventScroll: true });
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.queue.length) return;
    const key = event.key.toLowerCase();
    if (key === " " && !this.isOpen && !event.target.closest("button, a")) this.turn();
    else if (this.isOpen && (key === "arrowright" || key === "k")) this.decide(true);
    else if (this.isOpen && (key === "arrowleft" || key === "j")) this.decide(false);
    else return;
    event.preventDefault();
  }
}
