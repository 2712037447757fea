// Flashcards: five boxes, each with a longer time until its cards come again. What is known stays in this browser.
import { playButton } from "./play.js";

const DAYS = [0, 1, 3, 7, 16, 35];
const APART = 3; // so many other cards come before one that was not known
const SWIPE = 60;
const today = () => Math.floor((Date.now() - new Date().getTimezoneOffset() * 60_000) / 86_400_000);

// A list of sets tells how far each has come; a player asks the cards of one.
export function begin(player) {
  if ("sets" in player.dataset) return player.querySelectorAll("[data-set]").forEach((item) => tell(item, player.dataset));
  const list = player.parentElement.querySelector(".cards");
  if (!list) return;
  new Player(player, [...list.children].map(readCard));
  list.hidden = true;
  player.hidden = false;
}

function tell(item, texts) {
  const kept = Object.values(read(store(item.dataset.set)));
  if (!kept.length) return;
  const all = Number(item.dataset.count);
  const known = Math.min(kept.filter((card) => card.box > 0).length, all);
  const due = Math.min(kept.filter((card) => card.due <= today()).length + Math.max(0, all - kept.length), all);
  const bar = make("progress", { max: all, value: known });
  const line = make("p", { className: "known", textContent: texts.known.replace("{known}", number(known)).replace("{all}", number(all)) });
  if (due) line.textContent += ` · ${texts.due.replace("{}", number(due))}`;
  bar.setAttribute("aria-label", line.textContent);
  item.append(bar, line);
}

const store = (set) => `abhidhan.cards.${set}`;

function read(place) {
  try {
    return JSON.parse(localStorage.getItem(place)) ?? {};
  } catch {
    return {};
  }
}

function readCard(item) {
  return {
    id: item.dataset.card,
    glyph: item.querySelector(".glyph")?.textContent,
    asked: "asks" in item.dataset, // the question is what the picture shows; otherwise it would tell the answer
    picture: item.querySelector("img")?.getAttribute("src"),
    clue: item.querySelector(".clue"),
    roman: item.querySelector(".roman"),
    answer: item.querySelector(".answer a:not([data-play])"),
    sounds: [...item.querySelectorAll("[data-play]")],
  };
}

class Player {
  constructor(place, cards) {
    Object.assign(this, { place, cards, texts: place.dataset, store: store(place.dataset.cards) });
    this.known = read(this.store);
    this.build();
    this.restart(false);
    document.addEventListener("keydown", (event) => this.press(event));
  }

  write() {
    try {
      localStorage.setItem(this.store, JSON.stringify(this.known));
    } catch {
      // No room, or not allowed: the cards can be played all the same.
    }
  }

  build() {
    const { texts } = this;
    this.bar = make("progress", { max: this.cards.length });
    this.bar.setAttribute("aria-label", texts.left.replace("{}", ""));
    this.left = make("p", { className: "quiet" });
    this.card = make("button", { type: "button", className: "flash" });
    this.again = make("button", { type: "button", className: "plain", textContent: texts.again });
    this.know = make("button", { type: "button", textContent: texts.know });
    this.flip = make("button", { type: "button", textContent: texts.flip });
    this.sounds = make("div", { className: "sounds" });
    this.answers = make("div", { className: "answers" });
    this.answers.append(this.again, this.know);
    this.said = make("p", { className: "hidden" });
    this.said.setAttribute("role", "status");
    this.end = make("div", { hidden: true });
    this.help = make("p", { className: "help", textContent: texts.help });
    this.place.append(this.bar, this.left, this.card, this.flip, this.sounds, this.answers, this.end, this.help, this.said);
    this.card.addEventListener("click", () => this.swiped || this.turn());
    this.flip.addEventListener("click", () => this.turn());
    this.know.addEventListener("click", () => this.decide(true));
    this.again.addEventListener("click", () => this.decide(false));
    let from = null;
    this.card.addEventListener("pointerdown", (event) => { from = event.clientX; this.swiped = false; });
    this.card.addEventListener("pointerup", (event) => {
      const way = from === null ? 0 : event.clientX - from;
      if (Math.abs(way) > SWIPE && this.open) { this.swiped = true; this.decide(way > 0); }
    });
  }

  restart(all) {
    const day = today();
    this.queue = this.cards.filter((card) => all || (this.known[card.id]?.due ?? 0) <= day);
    this.bar.max = Math.max(1, this.queue.length);
    this.show();
  }

  show() {
    const card = this.queue[0];
    const { texts } = this;
    this.open = false;
    this.bar.value = this.bar.max - this.queue.length;
    this.left.textContent = texts.left.replace("{}", number(this.queue.length));
    for (const each of [this.card, this.flip, this.help]) each.hidden = !card;
    this.sounds.hidden = this.answers.hidden = true;
    this.end.hidden = Boolean(card);
    if (!card) return this.finish();
    this.card.replaceChildren(...[card.asked && picture(card), copy(card.clue, "clue")].filter(Boolean));
    this.said.textContent = "";
  }

  turn() {
    const card = this.queue[0];
    if (this.open || !card) return;
    this.open = true;
    this.card.append(...[!card.asked && picture(card), card.roman && copy(card.roman, "roman"), copy(card.answer, "answer")].filter(Boolean));
    this.card.classList.remove("turning");
    void this.card.offsetWidth;
    this.card.classList.add("turning");
    this.flip.hidden = true;
    this.answers.hidden = false;
    this.sounds.replaceChildren(...card.sounds.map(playButton));
    this.sounds.hidden = !card.sounds.length;
    this.said.lang = card.answer.lang;
    this.said.textContent = card.answer.textContent;
    if (document.activeElement === document.body || this.place.contains(document.activeElement)) this.know.focus();
  }

  decide(known) {
    const card = this.queue.shift();
    const box = known ? Math.min((this.known[card.id]?.box ?? 0) + 1, DAYS.length - 1) : 0;
    this.known[card.id] = { box, due: today() + DAYS[box] };
    if (!known) this.queue.splice(APART, 0, card);
    this.write();
    this.show();
    if (this.queue.length) this.card.focus();
  }

  finish() {
    const { texts } = this;
    const due = Math.min(...this.cards.map((card) => this.known[card.id]?.due ?? 0));
    const date = new Date(due * 86_400_000).toLocaleDateString(document.documentElement.lang, { timeZone: "UTC", day: "numeric", month: "long" });
    const all = make("button", { type: "button", textContent: texts.restart });
    const forget = make("button", { type: "button", className: "plain", textContent: texts.forget });
    all.addEventListener("click", () => { this.restart(true); this.card.focus(); });
    forget.addEventListener("click", () => {
      // Of lists, words of others are kept in the same place.
      for (const { id } of this.cards) delete this.known[id];
      this.write();
      this.restart(true);
      this.card.focus();
    });
    const row = make("div", { className: "actions" });
    row.append(all, forget);
    this.end.replaceChildren(make("p", { className: "lead", textContent: texts.done }), make("p", { textContent: texts.next.replace("{}", date) }), row);
    this.said.textContent = texts.done;
    all.focus({ preventScroll: true });
  }

  press(event) {
    if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.queue.length) return;
    const key = event.key.toLowerCase();
    if (key === " " && !this.open && !event.target.closest("button, a")) this.turn();
    else if (this.open && (key === "arrowright" || key === "k")) this.decide(true);
    else if (this.open && (key === "arrowleft" || key === "j")) this.decide(false);
    else return;
    event.preventDefault();
  }
}

function make(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

function copy(element, className) {
  const made = make("span", { className, textContent: element.textContent });
  made.lang = element.lang;
  made.dir = element.dir;
  return made;
}

function picture(card) {
  if (!card.glyph && !card.picture) return null;
  const place = make("span", { className: "picture" });
  place.setAttribute("aria-hidden", "true");
  place.append(card.picture ? make("img", { src: card.picture, alt: "" }) : card.glyph);
  return place;
}

function number(value) {
  return document.documentElement.lang === "as" ? String(value).replace(/\d/g, (digit) => "০১২৩৪৫৬৭৮৯"[digit]) : String(value);
}
