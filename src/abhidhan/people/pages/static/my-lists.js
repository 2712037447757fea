// The page of saved lists, redrawn from the browser's storage after every change, in this or another tab.
import { saveCSV, fillWords } from "./my-list-words.js";
import { MINE, addWord, canKeep, change, createList, hasRoom, joinLists, moveList, onChange, readLists, removeList, renameList, restoreList, shownLists, writeWords } from "./saved-lists.js";
import { readCSV } from "./list-csv.js";
import { number } from "./formatting.js";

export function begin(place) {
  if (!canKeep()) {
    document.querySelector("[data-lists-refused]").hidden = false;
    return;
  }
  new MyLists(place);
  place.hidden = false;
}

class MyLists {
  constructor(place) {
    Object.assign(this, { place, texts: place.dataset, open: new Set([MINE]), changing: new Set(), before: null });
    this.status = place.querySelector(".said");
    this.list = place.querySelector("template[data-list]").content.firstElementChild;
    place.querySelector("[data-create]").addEventListener("submit", (event) => this.create(event));
    place.querySelector("[data-import]").addEventListener("submit", (event) => this.importFile(event));
    place.querySelector("[data-undo]").addEventListener("click", () => this.undo());
    onChange(() => this.draw());
    this.draw();
  }

  // --- drawing ---

  draw() {
    const focused = this.focused();
    const lists = shownLists(readLists());
    if (!lists.some(({ id }) => id === MINE)) lists.unshift({ id: MINE, name: "", words: [], isNew: true });
    this.place.querySelector("[data-lists]").replaceChildren(...lists.map((list) => this.listElement(list, lists)));
    focused();
  }

  // Stores which element has the focus, to focus its replacement.
  focused() {
    const { activeElement } = document;
    const key = activeElement?.dataset.key;
    return () => key && document.activeElement !== activeElement && this.focus(key);
  }

  focus(key) {
    const found = this.place.querySelector(`[data-key="${CSS.escape(key)}"]:not([disabled])`);
    (found ?? this.place.querySelector(`[data-key="${CSS.escape(key.replace("-up-", "-down-"))}"]:not([disabled])`) ?? this.status).focus();
  }

  listElement(list, lists) {
    const element = this.list.cloneNode(true);
    const name = list.name || this.texts.mine;
    element.dataset.id = list.id;
    element.open = this.open.has(list.id);
    element.querySelector("summary").dataset.key = `open-${list.id}`;
    element.querySelector("[data-name]").textContent = name;
    element.querySelector("[data-count]").textContent = number(list.words.length);
    element.addEventListener("toggle", (event) => event.target === element && this.onToggle(element, list));
    this.uses(element.querySelector("[data-uses]"), list, name);
    element.querySelector("[data-none]").hidden = list.words.length > 0;
    this.changes(element, list, lists, name);
    if (element.open) this.onToggle(element, list);
    return element;
  }

  onToggle(element, list) {
    this.open[element.open ? "add" : "delete"](list.id);
    if (element.open && !element.filled) fillWords(element, list, this);
    element.filled ||= element.open;
  }

  // Links to practise, save and share the words; several per list, as a URL can hold a limited number of words.
  uses(row, { words }, name) {
    const most = Number(this.texts.shared);
    for (let first = 0; first < words.length; first += most) {
      const chunk = words.slice(first, first + most);
      for (const link of this.place.querySelector("template[data-use]").content.cloneNode(true).querySelectorAll("a")) {
        link.href = `${link.getAttribute("href")}?words=${chunk.join(",")}&name=${encodeURIComponent(name)}`;
        if (words.length > most) {
          const filled = { text: link.textContent, first: number(first + 1), last: number(first + chunk.length) };
          link.textContent = this.texts.part.replace(/\{(\w+)\}/g, (_, key) => filled[key]);
        }
        row.append(link, " ");
      }
    }
    const csv = this.place.querySelector("template[data-csv]").content.firstElementChild.cloneNode(true);
    csv.addEventListener("click", () => saveCSV(words, name, this.texts.langs));
    if (words.length) row.append(csv);
  }

  changes(element, list, lists, name) {
    const fold = element.querySelector("[data-changes]");
    fold.open = this.changing.has(list.id);
    fold.addEventListener("toggle", () => this.changing[fold.open ? "add" : "delete"](list.id));
    fold.querySelector("summary").dataset.key = `change-${list.id}`;
    const rename = element.querySelector("[data-rename]");
    rename.querySelector("input").value = name;
    rename.addEventListener("submit", (event) => { event.preventDefault(); this.rename(list, rename.querySelector("input").value); });
    const at = lists.indexOf(list);
    const same = lists.slice(0, at).find((other) => (other.name || this.texts.mine) === name);
    const steps = {
      up: [at === 0 || list.isNew, () => this.change((now) => moveList(now, list.id, -1))],
      down: [at === lists.length - 1 || list.isNew, () => this.change((now) => moveList(now, list.id, 1))],
      join: [!same, () => this.change((now) => joinLists(now, list.id, same.id), this.texts.joined)],
      remove: [list.isNew, () => this.remove(list.id, name)],
    };
    for (const [step, [isOff, job]] of Object.entries(steps)) {
      const button = element.querySelector(`[data-${step}]`);
      button.dataset.key = `list-${step}-${list.id}`;
      button.disabled = Boolean(isOff);
      if (step === "join") button.hidden = Boolean(isOff);
      button.addEventListener("click", job);
    }
  }

  // --- actions ---

  showMessage(text) {
    this.status.textContent = text;
    this.place.querySelector("[data-undo-place]").hidden = true;
  }

  change(job, text = "") {
    this.showMessage(text);
    if (!change(job)) this.showMessage(this.texts.full);
  }

  rename(list, name) {
    if (name.trim()) this.change((now) => (list.isNew ? createList(now, name, [], list.id) : renameList(now, list.id, name)), this.texts.saved);
  }

  create(event) {
    event.preventDefault();
    const field = event.target.querySelector("input");
    if (!field.value.trim()) return;
    if (!hasRoom(readLists(), "")) return this.showMessage(this.texts.most);
    this.change((now) => this.open.add(createList(now, field.value)), this.texts.saved);
    field.value = "";
  }

  // Removes a list, or a word of a list, and offers to undo it.
  remove(id, name, job = (now) => removeList(now, id)) {
    const before = readLists()[id];
    this.change(job, this.texts.removed.replace("{}", name));
    this.before = { id, before };
    const undo = this.place.querySelector("[data-undo-place]");
    undo.hidden = false;
    undo.querySelector("button").focus();
  }

  undo() {
    const { id, before } = this.before;
    this.open.add(id);
    this.change((now) => restoreList(now, id, before), this.texts.restored);
    this.status.focus();
  }

  async importFile(event) {
    event.preventDefault();
    const [file] = event.target.querySelector("input").files;
    const rows = file && readCSV(await file.text());
    if (!rows) return this.showMessage(this.texts.notCsv);
    const words = rows.filter(({ id }) => id);
    if (!hasRoom(readLists(), "", words.length)) return this.showMessage(this.texts.most);
    this.change((now) => {
      const id = createList(now, file.name.replace(/\.csv$/i, ""));
      for (const { id: word } of words) addWord(now, id, word);
      this.open.add(id);
    });
    writeWords(Object.fromEntries(words.map(({ id, ...shown }) => [id, shown])));
    this.draw();
    const left = rows.length - words.length;
    this.showMessage([this.texts.imported.replace("{}", number(words.length)), left ? this.texts.notTaken.replace("{}", number(left)) : ""].join(" ").trim());
    event.target.reset();
  }
}
