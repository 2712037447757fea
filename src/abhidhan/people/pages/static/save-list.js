// Saves a shared list, given by its link, among the user's own lists.
import { addWord, createList, hasRoom, isStorageAvailable, readLists, updateLists, writeWords } from "./saved-lists.js";

export function init(button) {
  if (!isStorageAvailable()) return;
  const words = button.dataset.saveList.split(",").map(Number);
  const status = document.querySelector("[data-save-status]");
  button.hidden = false;
  button.addEventListener("click", () => {
    const isSaved = hasRoom(readLists(), "", words.length) && updateLists((lists) => saveList(lists, button.dataset.name, words));
    if (isSaved) writeWords(wordsOnPage());
    status.textContent = isSaved ? button.dataset.saved : button.dataset.storageFull;
    button.disabled = isSaved;
  });
}

function saveList(lists, name, words) {
  const id = createList(lists, name);
  for (const word of words) addWord(lists, id, word);
}

function wordsOnPage() {
  const links = [...document.querySelectorAll("[data-star]")];
  return Object.fromEntries(links.map((link) => [link.dataset.star, { word: link.textContent, code: link.lang, dir: link.dir }]));
}
