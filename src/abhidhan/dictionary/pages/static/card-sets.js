// The list of flashcard sets: shows progress and due cards, and saves and loads the progress as a file.
import { dueCards, fileOf, isWithAccount, knownCards, loadFile, readAll, seenCards } from "./card-progress.js";
import { number } from "./formatting.js";

const MAX_CARDS = 200; // in a URL

export function begin(place) {
  const draw = () => drawSets(place);
  draw();
  addEventListener("pageshow", (event) => event.persisted && draw());
  addEventListener("storage", draw);
  offerFile(place.querySelector("[data-file]"), draw);
  if (!isWithAccount()) return;
  document.querySelector("[data-where]").textContent = place.dataset.account;
  import("./list-sync.js").then(({ sync }) => sync()).then(draw).catch(() => {}); // offline: shows the stored progress
}

function drawSets(place) {
  const all = readAll();
  const due = [];
  for (const item of place.querySelectorAll("[data-set]")) {
    const progress = all[item.dataset.set] ?? {};
    if (seenCards(progress).length) drawSet(item, progress, place.dataset);
    for (const card of dueCards(progress)) due.push({ card, day: progress[card].due, set: item.dataset.set });
  }
  due.sort((one, other) => one.day - other.day);
  drawDue(place.querySelector("[data-practise]"), due.slice(0, MAX_CARDS));
  drawLists(place.querySelector("[data-lists]"), dueCards(all.list ?? {}).slice(0, MAX_CARDS));
}

function drawSet(item, progress, texts) {
  const all = Number(item.dataset.count);
  const known = Math.min(knownCards(progress).length, all);
  const due = Math.min(dueCards(progress).length, all);
  const line = item.querySelector("[data-progress]");
  const parts = [texts.of.replace("{count}", number(known)).replace("{all}", number(all))];
  if (due) parts.push(texts.due.replace("{}", number(due)));
  line.replaceChildren(...parts.flatMap((text) => [" ", Object.assign(document.createElement("span"), { textContent: text })]));
  const bar = item.querySelector("progress") ?? document.createElement("progress");
  Object.assign(bar, { max: all, value: known });
  bar.setAttribute("aria-label", texts.known);
  line.after(bar);
}

function drawDue(line, due) {
  const link = line.querySelector("a");
  line.hidden = !due.length;
  link.textContent = due.length === 1 ? link.dataset.one : link.dataset.many.replace("{}", number(due.length));
  // Offline, no page with these cards exists, but the page of a set was cached when it was opened.
  const cards = due.map(({ card }) => card).join(",");
  link.href = navigator.onLine === false && due.length ? `/flashcards?set=${due[0].set}` : `/flashcards?cards=${cards}`;
}

function drawLists(line, due) {
  const link = line.querySelector("a");
  line.hidden = !due.length;
  link.textContent = link.dataset.dueOfLists.replace("{}", number(due.length));
  link.href = `/flashcards?words=${due.join(",")}`;
}

function offerFile(part, draw) {
  const input = part.querySelector("input");
  const message = part.querySelector("[data-said]");
  part.querySelector("[data-save]").addEventListener("click", save);
  part.querySelector("[data-load]").addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    const count = loadFile(await input.files[0].text());
    message.textContent = count === null ? part.dataset.not : part.dataset.saved.replace("{}", number(count));
    input.value = "";
    draw();
  });
  part.hidden = false;
}

function save() {
  const link = Object.assign(document.createElement("a"), { download: "abhidhan-flashcards.json" });
  link.href = URL.createObjectURL(new Blob([fileOf()], { type: "application/json" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
