// Dialog that chooses the lists of a word; loaded when it is opened.
import { MINE, addWord, change, createList, hasRoom, holds, readLists, shownLists, takeOut, writeWords } from "./saved-lists.js";

export function choose(word, texts) {
  const dialog = make("dialog", { className: "lists" });
  const title = make("h2", { id: "lists-of-word", textContent: texts.more.replace("{}", word.text) });
  dialog.setAttribute("aria-labelledby", title.id);
  const message = make("p", { className: "quiet" });
  message.setAttribute("role", "status");
  const picks = make("div");
  draw(picks, word, texts, message);
  dialog.append(title, picks, creationForm(word, texts, message, picks), message, footer(dialog, texts));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function draw(picks, word, texts, message) {
  const lists = readLists();
  const shown = shownLists(lists);
  if (!shown.some(({ id }) => id === MINE)) shown.unshift({ id: MINE, name: "" });
  picks.replaceChildren(...shown.map((list) => {
    const box = make("input", { type: "checkbox", id: `in-${list.id}`, checked: holds(lists, list.id, word.id) });
    box.addEventListener("change", () => {
      if (!setMembership(list.id, word, box.checked, texts, message)) box.checked = !box.checked;
    });
    const row = make("p", { className: "pick" });
    row.append(box, make("label", { htmlFor: box.id, textContent: list.name || texts.mine, dir: "auto" }));
    return row;
  }));
}

function setMembership(id, word, isIn, texts, message) {
  message.textContent = isIn && !hasRoom(readLists(), id) ? texts.most : "";
  if (message.textContent) return false;
  const isSaved = change((lists) => (isIn ? addWord : takeOut)(lists, id, word.id));
  if (!isSaved) message.textContent = texts.full;
  else if (isIn) writeWords({ [word.id]: { word: word.text, code: word.code, dir: word.dir } });
  return isSaved;
}

function creationForm(word, texts, message, picks) {
  const form = make("form", { className: "inline" });
  const field = make("input", { id: "new-list", maxLength: 80, required: true, autocomplete: "off", dir: "auto" });
  const place = make("div");
  place.append(make("label", { htmlFor: field.id, textContent: texts.new }), field);
  form.append(place, make("button", { className: "plain", textContent: texts.add }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    message.textContent = hasRoom(readLists(), "") ? "" : texts.most;
    if (message.textContent) return;
    if (!change((lists) => createList(lists, field.value, [word.id]))) message.textContent = texts.full;
    else writeWords({ [word.id]: { word: word.text, code: word.code, dir: word.dir } });
    field.value = "";
    draw(picks, word, texts, message);
  });
  return form;
}

function footer(dialog, texts) {
  const row = make("p", { className: "actions" });
  const done = make("button", { type: "button", textContent: texts.done });
  done.addEventListener("click", () => dialog.close());
  row.append(done, make("a", { href: "/my-lists", textContent: texts.all }));
  return row;
}

function make(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}
