// Dialog that chooses the lists of a word; loaded when it is opened.
import { STARRED, addWord, containsWord, createList, hasRoom, readLists, removeWord, updateLists, visibleLists, writeWords } from "./saved-lists.js";

export function openListDialog(word, texts) {
  const dialog = createElement("dialog", { className: "lists" });
  const title = createElement("h2", { id: "lists-of-word", textContent: texts.more.replace("{}", word.text) });
  dialog.setAttribute("aria-labelledby", title.id);
  const message = createElement("p", { className: "quiet" });
  message.setAttribute("role", "status");
  const choices = createElement("div");
  renderChoices(choices, word, texts, message);
  dialog.append(title, choices, createListForm(word, texts, message, choices), message, createFooter(dialog, texts));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function renderChoices(choices, word, texts, message) {
  const lists = readLists();
  const visible = visibleLists(lists);
  if (!visible.some(({ id }) => id === STARRED)) visible.unshift({ id: STARRED, name: "" });
  choices.replaceChildren(...visible.map((list) => {
    const checkbox = createElement("input", { type: "checkbox", id: `in-${list.id}`, checked: containsWord(lists, list.id, word.id) });
    checkbox.addEventListener("change", () => {
      if (!setMembership(list.id, word, checkbox.checked, texts, message)) checkbox.checked = !checkbox.checked;
    });
    const row = createElement("p", { className: "checkbox-row" });
    row.append(checkbox, createElement("label", { htmlFor: checkbox.id, textContent: list.name || texts.starred, dir: "auto" }));
    return row;
  }));
}

function setMembership(id, word, isChecked, texts, message) {
  message.textContent = isChecked && !hasRoom(readLists(), id) ? texts.listFull : "";
  if (message.textContent) return false;
  const isSaved = updateLists((lists) => (isChecked ? addWord : removeWord)(lists, id, word.id));
  if (!isSaved) message.textContent = texts.storageFull;
  else if (isChecked) writeWords({ [word.id]: { word: word.text, code: word.code, dir: word.dir } });
  return isSaved;
}

function createListForm(word, texts, message, choices) {
  const form = createElement("form", { className: "inline" });
  const field = createElement("input", { id: "new-list", maxLength: 80, required: true, autocomplete: "off", dir: "auto" });
  const wrapper = createElement("div");
  wrapper.append(createElement("label", { htmlFor: field.id, textContent: texts.new }), field);
  form.append(wrapper, createElement("button", { className: "secondary", textContent: texts.add }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    message.textContent = hasRoom(readLists(), "") ? "" : texts.listFull;
    if (message.textContent) return;
    if (!updateLists((lists) => createList(lists, field.value, [word.id]))) message.textContent = texts.storageFull;
    else writeWords({ [word.id]: { word: word.text, code: word.code, dir: word.dir } });
    field.value = "";
    renderChoices(choices, word, texts, message);
  });
  return form;
}

function createFooter(dialog, texts) {
  const row = createElement("p", { className: "actions" });
  const closeButton = createElement("button", { type: "button", textContent: texts.done });
  closeButton.addEventListener("click", () => dialog.close());
  row.append(closeButton, createElement("a", { href: "/my-lists", textContent: texts.all }));
  return row;
}

function createElement(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}
