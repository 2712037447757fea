// Shows the entries of the packs on this device for the word in the field `w`, or in the URL of the page.
import { inDigits } from "./formatting.js";
import { lookUp, readyPacks } from "./pack-lookup.js";

const PAUSE = 150; // milliseconds after the last key before the look-up

export function begin(section) {
  const field = document.querySelector("input[name=w]");
  const show = () => answer(section, (field?.value || "").trim() || wordInURL());
  let timer = 0;
  field?.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, PAUSE);
  });
  field?.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    show();
  });
  addEventListener("hashchange", show);
  document.addEventListener("abhidhan:packs", show);
  if (field && !field.value) field.value = wordInURL();
  show();
}

// The word in the URL: /dic/পানী, /search?q=পানী, ?w=পানী or #পানী.
function wordInURL() {
  const params = new URLSearchParams(location.search);
  const [, inPath] = location.pathname.match(/^\/dic\/(.+)$/) ?? [];
  const text = params.get("w") ?? params.get("q") ?? inPath ?? location.hash.slice(1);
  try {
    return inPath === text || location.hash.slice(1) === text ? decodeURIComponent(text) : text;
  } catch {
    return "";
  }
}

let latest = 0;

async function answer(section, query) {
  const number = ++latest;
  let shown;
  try {
    shown = await renderQuery(section, query);
  } catch {
    shown = [paragraph(section.dataset.failed)];
  }
  // Drop the result if a newer query has started in the meantime.
  if (number === latest) section.querySelector("[data-shown]").replaceChildren(...shown);
}

async function renderQuery(section, query) {
  const texts = section.dataset;
  if (!(await readyPacks()).length) return [paragraph(texts.without)];
  if (!query) return [];
  const found = await lookUp(query);
  if (!found.length) return [paragraph(texts.none.replace("{}", query))];
  // On the page that replaces the word page (/offline), the word is the heading, as it is online.
  const place = section.closest("[data-kept-pages]");
  place?.dispatchEvent(new CustomEvent("abhidhan:answered"));
  return renderResults(found, query, texts, place ? "h1" : "h3");
}

// The best result as an entry, each other one as a line that unfolds, with the proverbs after the words.
function renderResults(found, query, texts, level) {
  const [{ entry: best, match }, ...others] = found;
  const shown = createElement("div", "pack-found");
  if (["loose", "sound", "slip"].includes(match)) shown.append(otherSpelling(query, best, texts.other));
  shown.append(renderBest(best, level));
  const proverbs = others.filter(({ entry }) => entry.kind === "proverb");
  const words = others.filter(({ entry }) => entry.kind !== "proverb");
  if (words.length) shown.append(lines(words, texts));
  if (proverbs.length) shown.append(textElement("h2", texts.proverbs, "", "", "name"), lines(proverbs, texts));
  return [shown];
}

// "No entry for watter. Showing water."
function otherSpelling(query, { word, source }, text) {
  const line = createElement("p", "said quiet");
  for (const piece of text.split(/(\{word\}|\{found\})/)) {
    if (piece === "{word}") line.append(textElement("b", query, "", "auto"));
    else if (piece === "{found}") line.append(textElement("b", word, source.code, source.direction));
    else line.append(piece);
  }
  return line;
}

function renderBest(entry, level) {
  const article = createElement("article", "entry");
  const head = createElement("div", "head");
  head.append(textElement(level, entry.word, entry.source.code, entry.source.direction, entry.kind === "proverb" ? "word long" : "word"));
  if (entry.roman) head.append(roman(entry));
  const facts = createElement("div", "facts");
  facts.append(textElement("p", partOf(entry.senses[0] ?? { part: {} })));
  head.append(facts);
  article.append(head, senses(entry));
  return article;
}

function lines(found, texts) {
  const list = createElement("ol", "senses");
  for (const { entry, match } of found) {
    const item = createElement("li", "sense folded");
    const fold = createElement("details", "line");
    const summary = createElement("summary", "turn");
    const gloss = createElement("span", "gloss");
    const [first] = entry.senses;
    const { code, direction } = first?.glosses.length || first?.definition ? entry.target : entry.source;
    if (first) gloss.append(textElement("span", first.glosses.join(", ") || first.definition || first.own, code, direction));
    if (texts[match]) gloss.append(gloss.firstChild ? " · " : "", texts[match]);
    summary.append(textElement("span", entry.word, entry.source.code, entry.source.direction, "answer ink"), " ", gloss);
    fold.append(summary);
    if (entry.roman) fold.append(createElement("p", "", roman(entry)));
    fold.append(senses(entry));
    item.append(fold);
    list.append(item);
  }
  return list;
}

const roman = ({ roman: text, source }) => textElement("span", text, `${source.code}-Latn`, "ltr", "roman");
const partOf = ({ part }) => part[document.documentElement.lang] ?? part.en ?? "";

function senses(entry) {
  const list = createElement("ol", entry.senses.length > 1 ? "senses numbered" : "senses");
  list.append(...entry.senses.map((sense, place) => renderSense(sense, entry, entry.senses.length > 1 ? place + 1 : 0)));
  return list;
}

function renderSense({ glosses, definition, own, licence }, { source, target, kind }, place) {
  const item = createElement("li", "sense");
  const number = place && textElement("span", inDigits(String(place)), "", "", "num");
  if (number) item.append(number);
  if (glosses.length) {
    const line = createElement("p", "answer");
    glosses.forEach((gloss, at) => line.append(at ? textElement("span", ", ", "", "", "sep") : "", kind === "proverb" ? textElement("span", gloss, target.code, target.direction) : wordLink(gloss, target)));
    item.append(line);
  }
  const language = definition ? target : source;
  if (definition || own) item.append(textElement("p", definition || own, language.code, language.direction, "means"));
  if (licence) item.append(textElement("p", licence, "en", "ltr", "source"));
  return item;
}

function wordLink(word, { code, direction }) {
  return Object.assign(textElement("a", word, code, direction), { href: `/dic/${encodeURIComponent(word)}` });
}

function textElement(name, text, language, direction, style = "") {
  const element = createElement(name, style);
  element.textContent = text;
  if (language) element.lang = language;
  if (direction) element.dir = direction;
  return element;
}

function paragraph(text) {
  return textElement("p", text, "", "", "quiet");
}

function createElement(name, style = "", ...children) {
  const element = document.createElement(name);
  if (style) element.className = style;
  element.append(...children);
  return element;
}
