// The page of saved lists, redrawn from the browser's storage after every change, in this or another tab.
import { renderWords, saveCSV } from "./my-list-words.js";
import { STARRED, addWord, createList, hasRoom, isStorageAvailable, joinLists, moveList, onChange, readLists, removeList, renameList, restoreList, updateLists, visibleLists, writeWords } from "./saved-lists.js";
import { readCSV } from "./list-csv.js";
import { formatNumber } from "./formatting.js";

export function init(container) {
  if (!isStorageAvailable()) {
    document.querySelector("[data-storage-denied]").hidden = false;
    return;
  }
  new MyLists(container);
  container.hidden = false;
}

class MyLists {
  constructor(container) {
    Object.assign(this, { container, texts: container.dataset, open: new Set([STARRED]), editing: new Set(), removal: null });
    this.status = container.querySelector(".message");
    this.list = container.querySelector("template[data-list]").content.firstElementChild;
    container.querySelector("[data-create]").addEventListener("submit", (event) => this.create(event));
    container.querySelector("[data-import]").addEventListener("submit", (event) => this.importFile(event));
    container.querySelector("[data-undo]").addEventListener("click", () => this.undo());
    onChange(() => this.render());
    this.render();
  }

  // --- drawing ---

  render() {
    const restoreFocus = this.saveFocus();
    const lists = visibleLists(readLists());
    if (!lists.some(({ id }) => id === STARRED)) lists.unshift({ id: STARRED, name: "", words: [], isNew: true });
    this.container.querySelector("[data-lists]").replaceChildren(...lists.map((list) => this.listElement(list, lists)));
    restoreFocus();
  }

  // Stores which element has the focus, to focus its replacement.
  saveFocus() {
    const { activeElement } = document;
    const key = activeElement?.dataset.key;
    return () => key && document.activeElement !== activeElement && this.focus(key);
  }

  focus(key) {
    const found = this.container.querySelector(`[data-key="${CSS.escape(key)}"]:not([disabled])`);
    (found ?? this.container.querySelector(`[data-key="${CSS.escape(key.replace("-up-", "-down-"))}"]:not([disabled])`) ?? this.status).focus();
  }

  listElement(list, lists) {
    const element = this.list.cloneNode(true);
    const name = list.name || this.texts.starred;
    element.dataset.id = list.id;
    element.open = this.open.has(list.id);
    element.querySelector("summary").dataset.key = `open-${list.id}`;
    element.querySelector("[data-name]").textContent = name;
    element.querySelector("[data-count]").textContent = formatNumber(list.words.length);
    element.addEventListener("toggle", (event) => event.target === element && this.onToggle(element, list));
    this.addLinks(element.querySelector("[data-list-actions]"), list, name);
    element.querySelector("[data-none]").hidden = list.words.length > 0;
    this.addEditor(element, list, lists, name);
    if (element.open) this.onToggle(element, list);
    return element;
  }

  onToggle(element, list) {
    this.open[element.open ? "add" : "delete"](list.id);
    if (element.open && !element.filled) renderWords(element, list, this);
    element.filled ||= element.open;
  }

  // Links to practise, save and share the words; several per list, as a URL can hold a limited number of words.
  addLinks(row, { words }, name) {
    const limit = Number(this.texts.maxLinkWords);
    for (let first = 0; first < words.length; first += limit) {
      const chunk = words.slice(first, first + limit);
      for (const link of this.container.querySelector("template[data-list-links]").content.cloneNode(true).querySelectorAll("a")) {
        link.href = `${link.getAttribute("href")}?words=${chunk.join(",")}&name=${encodeURIComponent(name)}`;
        if (words.length > limit) {
          const values = { text: link.textContent, first: formatNumber(first + 1), last: formatNumber(first + chunk.length) };
          link.textContent = this.texts.part.replace(/\{(\w+)\}/g, (_, key) => values[key]);
        }
        row.append(link, " ");
      }
    }
    const csv = this.container.querySelector("template[data-csv]").content.firstElementChild.cloneNode(true);
    csv.addEventListener("click", () => saveCSV(words, name, this.texts.langs));
    if (words.length) row.append(csv);
  }

  addEditor(element, list, lists, name) {
    const editor = element.querySelector("[data-edit]");
    editor.open = this.editing.has(list.id);
    editor.addEventListener("toggle", () => this.editing[editor.open ? "add" : "delete"](list.id));
    editor.querySelector("summary").dataset.key = `edit-${list.id}`;
    const rename = element.querySelector("[data-rename]");
    rename.querySelector("input").value = name;
    rename.addEventListener("submit", (event) => { event.preventDefault(); this.rename(list, rename.querySelector("input").value); });
    const index = lists.indexOf(list);
    const namesake = lists.slice(0, index).find((other) => (other.name || this.texts.starred) === name);
    const steps = {
      up: [index === 0 || list.isNew, () => this.update((draft) => moveList(draft, list.id, -1))],
      down: [index === lists.length - 1 || list.isNew, () => this.update((draft) => moveList(draft, list.id, 1))],
      join: [!namesake, () => this.update((draft) => joinLists(draft, list.id, namesake.id), this.texts.joined)],
      remove: [list.isNew, () => this.remove(list.id, name)],
    };
    for (const [step, [isDisabled, job]] of Object.entries(steps)) {
      const button = element.querySelector(`[data-${step}]`);
      button.dataset.key = `list-${step}-${list.id}`;
      button.disabled = Boolean(isDisabled);
      if (step === "join") button.hidden = Boolean(isDisabled);
      button.addEventListener("click", job);
    }
  }

  // --- actions ---

  showMessage(text) {
    this.status.textContent = text;
    this.container.querySelector("[data-undo-place]").hidden = true;
  }

  update(job, text = "") {
    this.showMessage(text);
    if (!updateLists(job)) this.showMessage(this.texts.storageFull);
  }

  rename(list, name) {
    if (name.trim()) this.update((draft) => (list.isNew ? createList(draft, name, [], list.id) : renameList(draft, list.id, name)), this.texts.saved);
  }

  create(event) {
    event.preventDefault();
    const field = event.target.querySelector("input");
    if (!field.value.trim()) return;
    if (!hasRoom(readLists(), "")) return this.showMessage(this.texts.listFull);
    this.update((draft) => this.open.add(createList(draft, field.value)), this.texts.saved);
    field.value = "";
  }

  // Removes a list, or a word of a list, and offers to undo it.
  remove(id, name, job = (draft) => removeList(draft, id)) {
    const before = readLists()[id];
    this.update(job, this.texts.removed.replace("{}", name));
    this.removal = { id, before };
    const undo = this.container.querySelector("[data-undo-place]");
    undo.hidden = false;
    undo.querySelector("button").focus();
  }

  undo() {
    const { id, before } = this.removal;
    this.open.add(id);
    this.update((draft) => restoreList(draft, id, before), this.texts.restored);
    this.status.focus();
  }

  async importFile(event) {
    event.preventDefault();
    const [file] = event.target.querySelector("input").files;
    const rows = file && readCSV(await file.text());
    if (!rows) return this.showMessage(this.texts.notCsv);
    const words = rows.filter(({ id }) => id);
    if (!hasRoom(readLists(), "", words.length)) return this.showMessage(this.texts.listFull);
    this.update((draft) => {
      const id = createList(draft, file.name.replace(/\.csv$/i, ""));
      for (const { id: word } of words) addWord(draft, id, word);
      this.open.add(id);
    });
    writeWords(Object.fromEntries(words.map(({ id, ...details }) => [id, details])));
    this.render();
    const skipped = rows.length - words.length;
    this.showMessage([this.texts.imported.replace("{}", formatNumber(words.length)), skipped ? this.texts.skippedRows.replace("{}", formatNumber(skipped)) : ""].join(" ").trim());
    event.target.reset();
  }
}
