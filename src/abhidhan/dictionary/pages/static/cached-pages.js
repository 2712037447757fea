// Lists the pages cached by the service worker; if shown in place of a page that is not cached, says so.
import { languageOf } from "./suggest.js";

const [SEEN, PICTURES] = ["abhidhan-pages", "abhidhan-pictures"]; // the names in worker.js
const MAX_PAGES = 100;

export async function begin(place) {
  if (location.pathname !== "/offline") explainMissing(place);
  // The offline dictionary has found the word: make the page look like the page of the word.
  place.addEventListener("abhidhan:answered", () => {
    place.querySelector("[data-lead]").textContent = place.dataset.answered;
    for (const part of ["h1.title", "[data-again]", "[data-about]"]) place.querySelector(part).hidden = true;
  });
  if (!("caches" in self)) return;
  const list = place.querySelector("[data-list]");
  const pages = await cachedPages();
  list.querySelector("ul").replaceChildren(...pages.map(itemOf));
  list.hidden = !pages.length;
  list.querySelector("[data-forget]").addEventListener("click", async () => {
    await Promise.all([SEEN, PICTURES].map((name) => caches.delete(name)));
    list.hidden = true;
    const none = Object.assign(document.createElement("p"), { textContent: place.dataset.none, tabIndex: -1 });
    list.after(none);
    none.focus();
  });
}

function explainMissing(place) {
  const word = location.pathname.startsWith("/dic/") ? wordIn(location) : "";
  place.querySelector("[data-lead]").textContent = place.dataset.said.replace("{}", word || location.pathname);
  const again = place.querySelector("[data-again]");
  again.firstElementChild.href = location.href;
  again.hidden = false;
  const box = document.querySelector("#q");
  if (word && !box.value) box.value = word;
}

async function cachedPages() {
  const cache = await caches.open(SEEN);
  const pages = await Promise.all((await cache.keys()).map(async ({ url }) => {
    const copy = await cache.match(url, { ignoreVary: true });
    return { address: new URL(url), at: Number(copy?.headers.get("abhidhan-looked-at")), copy };
  }));
  return Promise.all(pages.filter(({ address }) => !address.searchParams.has("part")).sort((one, other) => other.at - one.at).slice(0, MAX_PAGES).map(withName));
}

async function withName({ address, copy }) {
  if (address.pathname.startsWith("/dic/") && !address.search) return { address, name: wordIn(address), isWord: true };
  const title = /<title>[^<]*<\/title>/.exec((await copy?.text()) ?? "")?.[0] ?? "";
  const name = new DOMParser().parseFromString(title, "text/html").title.replace(/ · Abhidhan$/, "");
  return { address, name: name || address.pathname };
}

function itemOf({ address, name, isWord }) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href: address.href, textContent: name, dir: "auto" });
  if (isWord) link.lang = languageOf(name);
  item.append(link);
  return item;
}

function wordIn({ pathname }) {
  try {
    return decodeURIComponent(pathname.slice("/dic/".length));
  } catch {
    return pathname;
  }
}
