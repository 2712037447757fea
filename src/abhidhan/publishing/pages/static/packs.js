// The page of offline packs: downloads them with their progress, updates and deletes them.
import { formatDateTime, formatNumber } from "./formatting.js";
import { download, WrongPack } from "./pack-download.js";
import { update } from "./pack-update.js";
import { isStorageAvailable, listPacks, readPack, removePack } from "./pack-store.js";

const STORAGE_KEY = "abhidhan.packs"; // makes main.js check for updates

export function init(list) {
  const items = [...list.querySelectorAll("[data-pack]")].map((item) => new Item(item, list.dataset));
  document.addEventListener("abhidhan:packs", () => items.forEach((item) => item.show()));
  showUsage(list.dataset);
  showObsolete(list, new Set(items.map(({ pair }) => pair)));
}

// Lists packs that are stored but no longer offered, so that they can be deleted.
async function showObsolete(list, offeredPairs) {
  const stored = await listPacks().catch(() => []);
  const names = JSON.parse(document.querySelector("[data-languages]")?.dataset.languages || "{}");
  const languageName = ({ code, name }) => names[code] ?? name;
  for (const { pair, source, target } of stored.filter((pack) => !offeredPairs.has(pack.pair))) {
    const item = list.querySelector("[data-obsolete]").content.firstElementChild.cloneNode(true);
    item.dataset.pack = pair;
    const title = item.querySelector("h2");
    title.id = `pack-${pair}`;
    title.textContent = source ? `${languageName(source)} → ${languageName(target)}` : pair;
    for (const name of ["aria-describedby", "aria-labelledby"]) {
      item.querySelectorAll(`[${name}]`).forEach((part) => part.setAttribute(name, title.id));
    }
    list.append(item);
    new ObsoleteItem(item, list.dataset);
  }
}

class Item {
  constructor(item, texts) {
    const find = (name) => item.querySelector(`[data-${name}]`);
    Object.assign(this, { pair: item.dataset.pack, texts, size: item.dataset.size, state: find("state"), bar: find("bar") });
    Object.assign(this, { downloadButton: find("download"), stopButton: find("stop"), updateButton: find("update"), removeButton: find("remove") });
    find("tools").hidden = false;
    this.downloadButton.addEventListener("click", () => this.download());
    this.stopButton.addEventListener("click", () => this.controller?.abort());
    this.updateButton.addEventListener("click", () => this.update());
    this.removeButton.addEventListener("click", () => this.removeDownload());
    this.show();
  }

  // Shows the state of the pack and the available actions; `message` is the last message.
  async show(message = this.message ?? "") {
    this.message = message;
    if (this.controller) return;
    let pack;
    try {
      pack = isStorageAvailable() && (await readPack(this.pair));
    } catch {
      pack = false;
    }
    if (pack === false) return this.showState(this.texts.unsupported, {});
    const stored = Boolean(pack?.chunks.length);
    const isPartial = Boolean(pack?.loading);
    const words = stored && fill(this.texts.downloaded, formatNumber(pack.words), formatDateTime(pack.renewed));
    const details = words || (isPartial ? this.texts.partial : navigator.connection?.saveData ? fill(this.texts.dataSaver, this.size) : "");
    this.downloadButton.textContent = isPartial ? this.texts.resume : this.texts.download;
    this.showState([message, details].filter(Boolean).join(" "), { download: !stored || isPartial, update: stored, remove: stored || isPartial });
  }

  showState(text, actions) {
    this.state.textContent = text;
    this.bar.hidden = !actions.stop;
    for (const name of ["download", "stop", "update", "remove"]) this[`${name}Button`].hidden = !actions[name];
  }

  async download() {
    this.controller = new AbortController();
    this.showState(this.texts.loading, { stop: true });
    this.stopButton.focus();
    let message = this.texts.done;
    try {
      await download(this.pair, { signal: this.controller.signal, onProgress: (bytes, total) => this.showProgress(bytes, total) });
      localStorage.setItem(STORAGE_KEY, "1");
      loadFonts(this.pair);
      // Not awaited: Firefox asks the reader first.
      navigator.storage?.persist?.().catch(() => {});
    } catch (error) {
      message = this.problem(error);
    }
    this.controller = null;
    await this.show(message);
    (this.downloadButton.hidden ? this.updateButton : this.downloadButton).focus();
    notifyChange();
    showUsage(this.texts);
  }

  showProgress(bytes, total) {
    this.bar.max = total;
    this.bar.value = bytes;
  }

  problem(error) {
    if (error.name === "QuotaExceededError") return this.texts.full;
    if (error.name === "AbortError" && this.controller.signal.aborted) return this.texts.stopped;
    return error instanceof WrongPack ? this.texts.failed : this.texts.connectionLost;
  }

  async update() {
    let message = this.texts.none;
    try {
      if (await update(this.pair)) message = this.texts.updated;
    } catch (error) {
      message = error.name === "QuotaExceededError" ? this.texts.full : this.texts.offline;
    }
    await this.show(message);
    notifyChange();
  }

  async removeDownload() {
    await removePack(this.pair);
    await this.show(this.texts.removed);
    this.downloadButton.focus();
    notifyChange();
    showUsage(this.texts);
  }
}

class ObsoleteItem extends Item {
  showState(text, actions) {
    super.showState(text, { remove: actions.remove });
  }

  async removeDownload() {
    await removePack(this.pair);
    this.state.textContent = this.texts.removed;
    this.removeButton.closest("li").querySelectorAll("button, p.quiet").forEach((part) => part.remove());
    notifyChange();
    showUsage(this.texts);
  }
}

// Loads the fonts of the pack's languages for offline use: the pages seen so far may not have needed them.
function loadFonts(pair) {
  if (/\b(as|bn)\b/.test(pair)) document.fonts.load('1em "Abhidhan Assamese"', "ক").catch(() => {});
  if (/\b(hi|ne|brx)\b/.test(pair)) document.fonts.load('1em "Abhidhan Devanagari"', "क").catch(() => {});
}

const notifyChange = () => document.dispatchEvent(new CustomEvent("abhidhan:packs"));

async function showUsage(texts) {
  const { usage } = (await navigator.storage?.estimate?.()) ?? {};
  const element = document.querySelector("[data-usage]");
  if (usage && element) element.textContent = fill(texts.space, formatNumber(Math.max(1, Math.round(usage / 100_000)) / 10));
}

// Replaces each {} in a text by the next value.
const fill = (text, ...values) => values.reduce((result, value) => result.replace("{}", value), text);
