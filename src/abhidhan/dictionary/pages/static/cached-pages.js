// Lists the pages cached by the service worker; if shown in place of a page that is not cached, says so.
import { languageOf } from "./suggest.js";

const [PAGES, PICTURES] = ["abhidhan-visited-pages", "abhidhan-pictures"]; // the names in worker.js
const MAX_PAGES = 100;

export async function init(container) {
  if (location.pathname !== "/offline") showMissingPage(container);
  // The offline dictionary has found the word: make the page look like the page of the word.
  container.addEventListener("abhidhan:found-offline", () => {
    container.querySelector("[data-lead]").textContent = container.dataset.foundOffline;
    for (const part of ["h1.title", "[data-retry]", "[data-about]"]) container.querySelector(part).hidden = true;
  });
  if (!("caches" in self)) return;
  const list = container.querySelector("[data-list]");
  const pages = await cachedPages();
  list.querySelector("ul").replaceChildren(...pages.map(createItem));
  list.hidden = !pages.length;
  list.querySelector("[data-clear]").addEventListener("click", async () => {
    await Promise.all([PAGES, PICTURES].map((name) => caches.delete(name)));
    list.hidden = true;
    const none = Object.assign(document.createElement("p"), { textContent: container.dataset.none, tabIndex: -1 });
    list.after(none);
    none.focus();
  });
}

function showMissingPage(container) {
  const word = location.pathname.startsWith("/dic/") ? readWord(location) : "";
  container.querySelector("[data-lead]").textContent = container.dataset.missingPage.replace("{}", word || location.pathname);
  const retry = container.querySelector("[data-retry]");
  retry.firstElementChild.href = location.href;
  retry.hidden = false;
  const box = document.querySelector("#q");
  if (word && !box.value) box.value = word;
}

async function cachedPages() {
  const cache = await caches.open(PAGES);
  const pages = await Promise.all((await cache.keys()).map(async ({ url }) => {
    const copy = await cache.match(url, { ignoreVary: true });
    return { url: new URL(url), viewed: Number(copy?.headers.get("abhidhan-looked-at")), copy };
  }));
  return Promise.all(pages.filter(({ url }) => !url.searchParams.has("part")).sort((a, b) => b.viewed - a.viewed).slice(0, MAX_PAGES).map(addName));
}

async function addName({ url, copy }) {
  if (url.pathname.startsWith("/dic/") && !url.search) return { url, name: readWord(url), isWord: true };
  const title = /<title>[^<]*<\/title>/.exec((await copy?.text()) ?? "")?.[0] ?? "";
  const name = new DOMParser().parseFromString(title, "text/html").title.replace(/ · Abhidhan$/, "");
  return { url, name: name || url.pathname };
}

function createItem({ url, name, isWord }) {
  const item = document.createElement("li");
  const link = Object.assign(document.createElement("a"), { href: url.href, textContent: name, dir: "auto" });
  if (isWord) link.lang = languageOf(name);
  item.append(link);
  return item;
}

function readWord({ pathname }) {
  try {
    return decodeURIComponent(pathname.slice("/dic/".length));
  } catch {
    return pathname;
  }
}
