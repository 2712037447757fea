// Saves a shared list, given by its link, among the user's own lists.
import { addWord, canKeep, change, createList, hasRoom, readLists, writeWords } from "./own-lists.js";

export function begin(button) {
  if (!canKeep()) return;
  const words = button.dataset.keepList.split(",").map(Number);
  const status = document.querySelector("[data-keep-status]");
  button.hidden = false;
  button.addEventListener("click", () => {
    const kept = hasRoom(readLists(), "", words.length) && change((lists) => keep(lists, button.dataset.name, words));
    if (kept) writeWords(shownHere());
    status.textContent = kept ? button.dataset.thanks : button.dataset.full;
    button.disabled = kept;
  });
}

function keep(lists, name, words) {
  const id = createList(lists, name);
  for (const word of words) addWord(lists, id, word);
}

function shownHere() {
  const found = [...document.querySelectorAll("[data-star]")];
  return Object.fromEntries(found.map((each) => [each.dataset.star, { word: each.textContent, code: each.lang, dir: each.dir }]));
}
