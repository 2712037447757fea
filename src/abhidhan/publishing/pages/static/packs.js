// The page of offline packs: downloads them with their progress, updates and deletes them.
import { inDigits, moment } from "./formatting.js";
import { WrongPack, load } from "./pack-download.js";
import { renew } from "./pack-update.js";
import { canKeep, listPacks, readPack, removePack } from "./pack-store.js";

const MARK = "abhidhan.packs"; // makes main.js check for updates

export function begin(list) {
  const items = [...list.querySelectorAll("[data-pack]")].map((item) => new Item(item, list.dataset));
  document.addEventListener("abhidhan:packs", () => items.forEach((item) => item.show()));
  showUsage(list.dataset);
  showObsolete(list, new Set(items.map(({ pair }) => pair)));
}

// Lists packs that are stored but no longer offered, so that they can be deleted.
async function showObsolete(list, offered) {
  const held = await listPacks().catch(() => []);
  const names = JSON.parse(document.querySelector("[data-languages]")?.dataset.languages || "{}");
  const languageName = ({ code, name }) => names[code] ?? name;
  for (const { pair, source, target } of held.filter((each) => !offered.has(each.pair))) {
    const item = list.querySelector("[data-left]").content.firstElementChild.cloneNode(true);
    item.dataset.pack = pair;
    const title = item.querySelector("h2");
    title.id = `pack-${pair}`;
    title.textContent = source ? `${languageName(source)} → ${languageName(target)}` : pair;
    for (const name of ["aria-describedby", "aria-labelledby"]) {
      item.querySelectorAll(`[${name}]`).forEach((each) => each.setAttribute(name, title.id));
    }
    list.append(item);
    new ObsoleteItem(item, list.dataset);
  }
}

class Item {
  constructor(item, texts) {
    const find = (name) => item.querySelector(`[data-${name}]`);
    Object.assign(this, { pair: item.dataset.pack, texts, size: item.dataset.size, state: find("state"), bar: find("bar") });
    Object.assign(this, { take: find("take"), stop: find("stop"), renewing: find("renew"), remove: find("remove") });
    find("tools").hidden = false;
    this.take.addEventListener("click", () => this.load());
    this.stop.addEventListener("click", () => this.asked?.abort());
    this.renewing.addEventListener("click", () => this.renew());
    this.remove.addEventListener("click", () => this.removeHere());
    this.show();
  }

  // Shows the state of the pack and the available actions; `said` is the last message.
  async show(said = this.said ?? "") {
    this.said = said;
    if (this.asked) return;
    let pack;
    try {
      pack = canKeep() && (await readPack(this.pair));
    } catch {
      pack = false;
    }
    if (pack === false) return this.say(this.texts.cannot, {});
    const held = Boolean(pack?.chunks.length);
    const isPartial = Boolean(pack?.loading);
    const words = held && fill(this.texts.held, number(pack.words), moment(pack.renewed));
    const about = words || (isPartial ? this.texts.begun : navigator.connection?.saveData ? fill(this.texts.saving, this.size) : "");
    this.take.textContent = isPartial ? this.texts.goOn : this.texts.take;
    this.say([said, about].filter(Boolean).join(" "), { take: !held || isPartial, renewing: held, remove: held || isPartial });
  }

  say(text, shown) {
    this.state.textContent = text;
    this.bar.hidden = !shown.stop;
    for (const name of ["take", "stop", "renewing", "remove"]) this[name].hidden = !shown[name];
  }

  async load() {
    this.asked = new AbortController();
    this.say(this.texts.loading, { stop: true });
    this.stop.focus();
    let said = this.texts.done;
    try {
      await load(this.pair, { signal: this.asked.signal, told: (bytes, all) => this.showProgress(bytes, all) });
      localStorage.setItem(MARK, "1");
      loadFonts(this.pair);
      // Not awaited: Firefox asks the reader first.
      navigator.storage?.persist?.().catch(() => {});
    } catch (error) {
      said = this.problem(error);
    }
    this.asked = null;
    await this.show(said);
    (this.take.hidden ? this.renewing : this.take).focus();
    announce();
    showUsage(this.texts);
  }

  showProgress(bytes, all) {
    this.bar.max = all;
    this.bar.value = bytes;
  }

  problem(error) {
    if (error.name === "QuotaExceededError") return this.texts.full;
    if (error.name === "AbortError" && this.asked.signal.aborted) return this.texts.stopped;
    return error instanceof WrongPack ? this.texts.wrong : this.texts.cut;
  }

  async renew() {
    let said = this.texts.none;
    try {
      if (await renew(this.pair)) said = this.texts.renewed;
    } catch (error) {
      said = error.name === "QuotaExceededError" ? this.texts.full : this.texts.offline;
    }
    await this.show(said);
    announce();
  }

  async removeHere() {
    await removePack(this.pair);
    await this.show(this.texts.removed);
    this.take.focus();
    announce();
    showUsage(this.texts);
  }
}

class ObsoleteItem extends Item {
  say(text, shown) {
    super.say(text, { remove: shown.remove });
  }

  async removeHere() {
    await removePack(this.pair);
    this.state.textContent = this.texts.removed;
    this.remove.closest("li").querySelectorAll("button, p.quiet").forEach((each) => each.remove());
    announce();
    showUsage(this.texts);
  }
}

// Loads the fonts of the pack's languages for offline use: the pages seen so far may not have needed them.
function loadFonts(pair) {
  if (/\b(as|bn)\b/.test(pair)) document.fonts.load('1em "Abhidhan Assamese"', "ক").catch(() => {});
  if (/\b(hi|ne|brx)\b/.test(pair)) document.fonts.load('1em "Abhidhan Devanagari"', "क").catch(() => {});
}

const announce = () => document.dispatchEvent(new CustomEvent("abhidhan:packs"));

async function showUsage(texts) {
  const { usage } = (await navigator.storage?.estimate?.()) ?? {};
  const place = document.querySelector("[data-used]");
  if (usage && place) place.textContent = fill(texts.space, number(Math.max(1, Math.round(usage / 100_000)) / 10));
}

const number = (value) => inDigits(value.toLocaleString("en"));

// Replaces each {} in a text by the next value.
const fill = (text, ...values) => values.reduce((filled, value) => filled.replace("{}", value), text);
