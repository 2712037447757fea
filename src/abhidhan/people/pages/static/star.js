// The star next to each headword, which shows whether the word is in the list of starred words (saved-lists.js).
import { STARRED, addWord, containsWord, hasRoom, isStorageAvailable, onChange, readLists, removeWord, startSync, updateLists, writeWords } from "./saved-lists.js";

const texts = document.querySelector("[data-star-texts]")?.dataset;
const stars = new Set();
let isEnabled = null;

export function init(element) {
  isEnabled ??= Boolean(texts) && isStorageAvailable();
  if (!isEnabled || element.nextElementSibling?.matches(".star")) return;
  if (!stars.size) {
    onChange(updateAllStars);
    startSync();
  }
  const word = wordOf(element);
  const star = createButton("star", texts.name.replace("{}", word.text), "");
  star.dataset.id = word.id;
  star.addEventListener("click", () => toggle(star, word));
  stars.add(star);
  updateStar(star);
  element.after(star);
  const menu = element.closest(".entry")?.querySelector(".more .panel");
  if (menu && window.HTMLDialogElement) menu.append(createListsItem(word));
}

function wordOf(element) {
  const { star, word, code, dir } = element.dataset;
  return { id: Number(star), text: word ?? element.textContent, code: code ?? element.lang, dir: dir ?? (element.dir || "ltr") };
}

// Returns the button that opens the dialog of lists, for the menu of an entry.
function createListsItem(word) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: texts.more.replace("{}", word.text) });
  button.setAttribute("aria-haspopup", "dialog");
  button.addEventListener("click", async () => {
    const { openListDialog } = await import("./list-dialog.js");
    openListDialog(word, texts);
  });
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function createButton(className, name, text) {
  const element = Object.assign(document.createElement("button"), { type: "button", className: `icon ${className}`, textContent: text });
  element.setAttribute("aria-label", name);
  element.title = name;
  return element;
}

function toggle(star, word) {
  const lists = readLists();
  if (containsWord(lists, STARRED, word.id)) updateLists((draft) => removeWord(draft, STARRED, word.id));
  else if (!hasRoom(lists, STARRED)) return showMessage(star, texts.listFull);
  else if (!updateLists((draft) => addWord(draft, STARRED, word.id))) return showMessage(star, texts.storageFull);
  else writeWords({ [word.id]: { word: word.text, code: word.code, dir: word.dir } });
  showMessage(star, "");
}

// Shows next to the star why the word was not stored.
function showMessage(star, text) {
  let message = star.parentElement.querySelector(":scope > .star-message");
  if (!message && !text) return;
  if (!message) {
    message = Object.assign(document.createElement("span"), { className: "star-message quiet" });
    message.setAttribute("role", "status");
    star.after(message);
  }
  message.textContent = text;
}

function updateAllStars() {
  for (const star of stars) star.isConnected ? updateStar(star) : stars.delete(star);
}

function updateStar(star) {
  const isStarred = containsWord(readLists(), STARRED, star.dataset.id);
  star.setAttribute("aria-pressed", String(isStarred));
  star.textContent = isStarred ? "★" : "☆";
}
