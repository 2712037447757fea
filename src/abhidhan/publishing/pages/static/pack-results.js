// Shows the entries of the packs on this device for the word in the field `w`, or in the URL of the page.
import { inDigits } from "./dates.js";
import { lookUp, readyPacks } from "./pack-lookup.js";

const PAUSE = 150; // milliseconds after the last key before the look-up

export function begin(section) {
  const field = document.querySelector("input[name=w]");
  const show = () => answer(section, (field?.value || "").trim() || inAddress());
  let waiting = 0;
  field?.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, PAUSE);
  });
  field?.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    show();
  });
  addEventListener("hashchange", show);
  document.addEventListener("abhidhan:packs", show);
  if (field && !field.value) field.value = inAddress();
  show();
}

// The word in the URL: /dic/পানী, /search?q=পানী, ?w=পানী or #পানী.
function inAddress() {
  const asked = new URLSearchParams(location.search);
  const [, inPath] = location.pathname.match(/^\/dic\/(.+)$/) ?? [];
  const text = asked.get("w") ?? asked.get("q") ?? inPath ?? location.hash.slice(1);
  try {
    return inPath === text || location.hash.slice(1) === text ? decodeURIComponent(text) : text;
  } catch {
    return "";
  }
}

let asked = 0;

async function answer(section, query) {
  const mine = ++asked;
  let shown;
  try {
    shown = await answered(section, query);
  } catch {
    shown = [paragraph(section.dataset.failed)];
  }
  // Drop the result if a newer query has started in the meantime.
  if (mine === asked) section.querySelector("[data-shown]").replaceChildren(...shown);
}

async function answered(section, query) {
  const texts = section.dataset;
  if (!(await readyPacks()).length) return [paragraph(texts.without)];
  if (!query) return [];
  const found = await lookUp(query);
  if (!found.length) return [paragraph(texts.none.replace("{}", query))];
  // On the page that replaces the word page (/offline), the word is the heading, as it is online.
  const place = section.closest("[data-kept-pages]");
  place?.dispatchEvent(new CustomEvent("abhidhan:answered"));
  return shownAnswers(found, query, texts, place ? "h1" : "h3");
}

// The best result as an entry, each other one as a line that unfolds, with the proverbs after the words.
function shownAnswers(found, query, texts, level) {
  const [{ entry: best, match }, ...others] = found;
  const shown = made("div", "pack-found");
  if (["loose", "sound", "slip"].includes(match)) shown.append(instead(query, best, texts.other));
  shown.append(shownBest(best, level));
  const proverbs = others.filter(({ entry }) => entry.kind === "proverb");
  const words = others.filter(({ entry }) => entry.kind !== "proverb");
  if (words.length) shown.append(lines(words, texts));
  if (proverbs.length) shown.append(said("h2", texts.proverbs, "", "", "name"), lines(proverbs, texts));
  return [shown];
}

// "No entry for watter. Showing water."
function instead(query, { word, source }, text) {
  const line = made("p", "said quiet");
  for (const piece of text.split(/(\{word\}|\{found\})/)) {
    if (piece === "{word}") line.append(said("b", query, "", "auto"));
    else if (piece === "{found}") line.append(said("b", word, source.code, source.direction));
    else line.append(piece);
  }
  return line;
}

function shownBest(entry, level) {
  const article = made("article", "entry");
  const head = made("div", "head");
  head.append(said(level, entry.word, entry.source.code, entry.source.direction, entry.kind === "proverb" ? "word long" : "word"));
  if (entry.roman) head.append(roman(entry));
  const facts = made("div", "facts");
  facts.append(said("p", partOf(entry.senses[0] ?? { part: {} })));
  head.append(facts);
  article.append(head, senses(entry));
  return article;
}

function lines(found, texts) {
  const list = made("ol", "senses");
  for (const { entry, match } of found) {
    const item = made("li", "sense folded");
    const fold = made("details", "line");
    const summary = made("summary", "turn");
    const gloss = made("span", "gloss");
    const [first] = entry.senses;
    const { code, direction } = first?.glosses.length || first?.definition ? entry.target : entry.source;
    if (first) gloss.append(said("span", first.glosses.join(", ") || first.definition || first.own, code, direction));
    if (texts[match]) gloss.append(gloss.firstChild ? " · " : "", texts[match]);
    summary.append(said("span", entry.word, entry.source.code, entry.source.direction, "answer ink"), " ", gloss);
    fold.append(summary);
    if (entry.roman) fold.append(made("p", "", roman(entry)));
    fold.append(senses(entry));
    item.append(fold);
    list.append(item);
  }
  return list;
}

const roman = ({ roman: text, source }) => said("span", text, `${source.code}-Latn`, "ltr", "roman");
const partOf = ({ part }) => part[document.documentElement.lang] ?? part.en ?? "";

function senses(entry) {
  const list = made("ol", entry.senses.length > 1 ? "senses numbered" : "senses");
  list.append(...entry.senses.map((sense, place) => shownSense(sense, entry, entry.senses.length > 1 ? place + 1 : 0)));
  return list;
}

function shownSense({ glosses, definition, own, licence }, { source, target, kind }, place) {
  const item = made("li", "sense");
  const number = place && said("span", inDigits(String(place)), "", "", "num");
  if (number) item.append(number);
  if (glosses.length) {
    const line = made("p", "answer");
    glosses.forEach((gloss, at) => line.append(at ? said("span", ", ", "", "", "sep") : "", kind === "proverb" ? said("span", gloss, target.code, target.direction) : wordLink(gloss, target)));
    item.append(line);
  }
  const language = definition ? target : source;
  if (definition || own) item.append(said("p", definition || own, language.code, language.direction, "means"));
  if (licence) item.append(said("p", licence, "en", "ltr", "source"));
  return item;
}

function wordLink(word, { code, direction }) {
  return Object.assign(said("a", word, code, direction), { href: `/dic/${encodeURIComponent(word)}` });
}

function said(name, text, language, direction, style = "") {
  const element = made(name, style);
  element.textContent = text;
  if (language) element.lang = language;
  if (direction) element.dir = direction;
  return element;
}

function paragraph(text) {
  return said("p", text, "", "", "quiet");
}

function made(name, style = "", ...children) {
  const element = document.createElement(name);
  if (style) element.className = style;
  element.append(...children);
  return element;
}
