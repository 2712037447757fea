// The list of flashcard sets: shows progress and due cards, and saves and loads the progress as a file.
import { dueCards, exportProgress, importProgress, isSynchronized, knownCards, readAll, startedCards } from "./card-progress.js";
import { formatNumber } from "./formatting.js";

const MAX_CARDS = 200; // in a URL

export function init(container) {
  const render = () => renderSets(container);
  render();
  addEventListener("pageshow", (event) => event.persisted && render());
  addEventListener("storage", render);
  initFileButtons(container.querySelector("[data-file]"), render);
  if (!isSynchronized()) return;
  document.querySelector("[data-storage-note]").textContent = container.dataset.account;
  import("./list-sync.js").then(({ sync }) => sync()).then(render).catch(() => {}); // offline: shows the stored progress
}

function renderSets(container) {
  const all = readAll();
  const due = [];
  for (const item of container.querySelectorAll("[data-set]")) {
    const progress = all[item.dataset.set] ?? {};
    if (startedCards(progress).length) renderSet(item, progress, container.dataset);
    for (const card of dueCards(progress)) due.push({ card, day: progress[card].due, set: item.dataset.set });
  }
  due.sort((a, b) => a.day - b.day);
  renderDue(container.querySelector("[data-practise]"), due.slice(0, MAX_CARDS));
  renderLists(container.querySelector("[data-lists]"), dueCards(all.list ?? {}).slice(0, MAX_CARDS));
}

function renderSet(item, progress, texts) {
  const all = Number(item.dataset.count);
  const known = Math.min(knownCards(progress).length, all);
  const due = Math.min(dueCards(progress).length, all);
  const line = item.querySelector("[data-progress]");
  const parts = [texts.of.replace("{count}", formatNumber(known)).replace("{all}", formatNumber(all))];
  if (due) parts.push(texts.due.replace("{}", formatNumber(due)));
  line.replaceChildren(...parts.flatMap((text) => [" ", Object.assign(document.createElement("span"), { textContent: text })]));
  const bar = item.querySelector("progress") ?? document.createElement("progress");
  Object.assign(bar, { max: all, value: known });
  bar.setAttribute("aria-label", texts.known);
  line.after(bar);
}

function renderDue(line, due) {
  const link = line.querySelector("a");
  line.hidden = !due.length;
  link.textContent = due.length === 1 ? link.dataset.singular : link.dataset.plural.replace("{}", formatNumber(due.length));
  // Offline, no page with these cards exists, but the page of a set was cached when it was opened.
  const cards = due.map(({ card }) => card).join(",");
  link.href = navigator.onLine === false && due.length ? `/flashcards?set=${due[0].set}` : `/flashcards?cards=${cards}`;
}

function renderLists(line, due) {
  const link = line.querySelector("a");
  line.hidden = !due.length;
  link.textContent = link.dataset.dueOfLists.replace("{}", formatNumber(due.length));
  link.href = `/flashcards?words=${due.join(",")}`;
}

function initFileButtons(section, render) {
  const input = section.querySelector("input");
  const message = section.querySelector("[data-status]");
  section.querySelector("[data-save]").addEventListener("click", save);
  section.querySelector("[data-load]").addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    const count = importProgress(await input.files[0].text());
    message.textContent = count === null ? section.dataset.invalid : section.dataset.saved.replace("{}", formatNumber(count));
    input.value = "";
    render();
  });
  section.hidden = false;
}

function save() {
  const link = Object.assign(document.createElement("a"), { download: "abhidhan-flashcards.json" });
  link.href = URL.createObjectURL(new Blob([exportProgress()], { type: "application/json" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
