// Saves a shared list, given by its link, among the user's own lists.
import { addWord, canKeep, change, createList, hasRoom, readLists, writeWords } from "./saved-lists.js";

export function begin(button) {
  if (!canKeep()) return;
  const words = button.dataset.keepList.split(",").map(Number);
  const status = document.querySelector("[data-keep-status]");
  button.hidden = false;
  button.addEventListener("click", () => {
    const isSaved = hasRoom(readLists(), "", words.length) && change((lists) => saveList(lists, button.dataset.name, words));
    if (isSaved) writeWords(wordsOnPage());
    status.textContent = isSaved ? button.dataset.thanks : button.dataset.full;
    button.disabled = isSaved;
  });
}

function saveList(lists, name, words) {
  const id = createList(lists, name);
  for (const word of words) addWord(lists, id, word);
}

function wordsOnPage() {
  const found = [...document.querySelectorAll("[data-star]")];
  return Object.fromEntries(found.map((each) => [each.dataset.star, { word: each.textContent, code: each.lang, dir: each.dir }]));
}
