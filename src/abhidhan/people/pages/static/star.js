// The star next to each headword, which shows whether the word is in the list of starred words (saved-lists.js).
import { MINE, addWord, beginSync, canKeep, change, hasRoom, holds, onChange, readLists, takeOut, writeWords } from "./saved-lists.js";

const texts = document.querySelector("[data-stars]")?.dataset;
const stars = new Set();
let isEnabled = null;

export function begin(element) {
  isEnabled ??= Boolean(texts) && canKeep();
  if (!isEnabled || element.nextElementSibling?.matches(".star")) return;
  if (!stars.size) {
    onChange(markAll);
    beginSync();
  }
  const word = wordOf(element);
  const star = button("star", texts.name.replace("{}", word.text), "");
  star.dataset.id = word.id;
  star.addEventListener("click", () => toggle(star, word));
  stars.add(star);
  mark(star);
  element.after(star);
  const menu = element.closest(".entry")?.querySelector(".more .panel");
  if (menu && window.HTMLDialogElement) menu.append(more(word));
}

function wordOf(element) {
  const { star, word, code, dir } = element.dataset;
  return { id: Number(star), text: word ?? element.textContent, code: code ?? element.lang, dir: dir ?? (element.dir || "ltr") };
}

// Returns the button that opens the dialog of lists, for the menu of an entry.
function more(word) {
  const opener = Object.assign(document.createElement("button"), { type: "button", textContent: texts.more.replace("{}", word.text) });
  opener.setAttribute("aria-haspopup", "dialog");
  opener.addEventListener("click", async () => {
    const { choose } = await import("./list-dialog.js");
    choose(word, texts);
  });
  const item = document.createElement("li");
  item.append(opener);
  return item;
}

function button(className, name, text) {
  const element = Object.assign(document.createElement("button"), { type: "button", className: `icon ${className}`, textContent: text });
  element.setAttribute("aria-label", name);
  element.title = name;
  return element;
}

function toggle(star, word) {
  const lists = readLists();
  if (holds(lists, MINE, word.id)) change((now) => takeOut(now, MINE, word.id));
  else if (!hasRoom(lists, MINE)) return showMessage(star, texts.most);
  else if (!change((now) => addWord(now, MINE, word.id))) return showMessage(star, texts.full);
  else writeWords({ [word.id]: { word: word.text, code: word.code, dir: word.dir } });
  showMessage(star, "");
}

// Shows next to the star why the word was not stored.
function showMessage(star, text) {
  let message = star.parentElement.querySelector(":scope > .star-said");
  if (!message && !text) return;
  if (!message) {
    message = Object.assign(document.createElement("span"), { className: "star-said quiet" });
    message.setAttribute("role", "status");
    star.after(message);
  }
  message.textContent = text;
}

function markAll() {
  for (const star of stars) star.isConnected ? mark(star) : stars.delete(star);
}

function mark(star) {
  const isStarred = holds(readLists(), MINE, star.dataset.id);
  star.setAttribute("aria-pressed", String(isStarred));
  star.textContent = isStarred ? "★" : "☆";
}
