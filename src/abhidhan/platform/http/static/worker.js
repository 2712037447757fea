// The service worker. Pages are always fetched from the server; without a network, the stored copy of a visited page or
// /offline is shown. The server prepends `const SITE = {mark, pages, files, minimalFiles}` to this file (offline.py).
const FILES = `abhidhan-files-${SITE.mark}`; // styles, scripts and fonts of this version, and the pages in SITE.pages
const PAGES = "abhidhan-visited-pages";
const OLD_PAGES = "abhidhan-pages"; // pages that no longer fit the scripts
const PICTURES = "abhidhan-pictures";
const READER = "abhidhan-reader";
const MAX_COPIES = { [PAGES]: 200, [PICTURES]: 100 };
const MAX_PICTURE_BYTES = 500_000;
const OFFLINE = "/offline";
const SEARCHES = ["/search", "/dic", "/dic.php", "/shared"];
const UNREACHABLE = [502, 503, 504]; // from a proxy, or from a server that is starting
const TEMPORARY_ERRORS = [429, 500, ...UNREACHABLE]; // temporary failures, which say nothing about the page
const VISITED_AT_HEADER = "abhidhan-seen-at";
const VIEWED_AT_HEADER = "abhidhan-looked-at";
const COPIED_HEADERS = ["content-type", "content-security-policy", "permissions-policy", "referrer-policy", "x-content-type-options"];

addEventListener("install", (event) => event.waitUntil(prepare().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", (event) => event.waitUntil(Promise.all([storeAll(event.data.keep), updateWorker(event.data.mark)])));
addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate" || url.searchParams.has("part")) event.respondWith(respondWithPage(event, url));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(respondWithFile(request, url));
  else if (url.pathname.startsWith("/photos/") && request.destination === "image") event.respondWith(respondWithPicture(event));
});

// --- installation and activation ---

async function prepare() {
  const cache = await caches.open(FILES);
  await cache.addAll(savesData() ? SITE.minimalFiles : SITE.files);
  await refresh(savesData() ? [OFFLINE] : SITE.pages);
}

function savesData() {
  return Boolean(self.navigator.connection && self.navigator.connection.saveData);
}

async function activate() {
  const isOld = (name) => name === OLD_PAGES || (name.startsWith("abhidhan-files-") && name !== FILES);
  const oldNames = (await caches.keys()).filter(isOld);
  await Promise.all(oldNames.map((name) => caches.delete(name)));
  // Earlier versions enabled it; with it, Firefox shows no page when the server cannot be reached.
  await registration.navigationPreload?.disable();
  await clients.claim();
}

// Updates the worker after a page of another version was loaded; browsers would do so by themselves, but later.
async function updateWorker(mark) {
  if (mark !== SITE.mark) await registration.update().catch(() => {});
}

// --- pages ---

async function respondWithPage(event, url) {
  try {
    const response = await fetch(event.request);
    if (UNREACHABLE.includes(response.status)) return (await cachedCopy(url, "unreachable")) || response;
    event.waitUntil(storePage(url, response));
    // The language or the theme may have changed.
    if (url.pathname === "/preferences" || url.searchParams.has("saved")) event.waitUntil(refreshCachedPages());
    return response;
  } catch (error) {
    if (event.request.mode === "navigate") return respondOffline(url);
    return (await cachedCopy(url, "offline")) || Response.error();
  }
}

async function respondOffline(url) {
  const copy = await cachedCopy(url, "offline");
  if (copy) return copy;
  const query = SEARCHES.includes(url.pathname) && ["q", "w", "text"].map((name) => url.searchParams.get(name)).find(Boolean);
  if (query) return Response.redirect(`/dic/${encodeURIComponent(query)}`);
  const offline = await caches.match(OFFLINE, { ignoreVary: true });
  return offline || Response.error();
}

// Stores a page if the server allows it; deletes the copy of a page that was withdrawn or may no longer be stored.
function storePage(url, response) {
  const [policy, reader] = (response.headers.get("abhidhan-offline") || "").split(" ");
  const copy = response.status === 200 && policy === "keep" ? response.clone() : null;
  return enqueue(async () => {
    if (reader) await deleteOtherReaders(reader);
    const name = cacheNameOf(url);
    const cache = await caches.open(name);
    if (copy) {
      const now = String(Date.now());
      await cache.put(keyOf(url), withHeaders(copy, copy.body, { [VISITED_AT_HEADER]: now, [VIEWED_AT_HEADER]: now }));
      await trim(name);
    } else if (name === PAGES && !TEMPORARY_ERRORS.includes(response.status)) await cache.delete(keyOf(url));
  });
}

// Returns the stored copy of a page. Its <html> tag has the time of the visit and the reason (shown by cached-page-notice.js).
async function cachedCopy(url, reason) {
  const cache = await caches.open(cacheNameOf(url));
  const key = keyOf(url);
  const copy = await cache.match(key, { ignoreVary: true });
  if (!copy) return null;
  enqueue(() => updateViewTime(cache, key));
  const html = await copy.text();
  return withHeaders(copy, html.replace("<html ", `<html data-cached-at="${Number(copy.headers.get(VISITED_AT_HEADER))}" data-cached-reason="${reason}" `), {});
}

async function updateViewTime(cache, key) {
  const copy = await cache.match(key, { ignoreVary: true });
  if (copy) await cache.put(key, withHeaders(copy, copy.body, { [VISITED_AT_HEADER]: copy.headers.get(VISITED_AT_HEADER), [VIEWED_AT_HEADER]: String(Date.now()) }));
}

function withHeaders(response, body, extraHeaders) {
  const headers = COPIED_HEADERS.filter((name) => response.headers.has(name)).map((name) => [name, response.headers.get(name)]);
  return new Response(body, { headers: [...headers, ...Object.entries(extraHeaders)] });
}

// Deletes all copies after signing in or out, so that the next user of this device cannot see them.
async function deleteOtherReaders(reader) {
  const cache = await caches.open(READER);
  const lastReader = await cache.match("/");
  if (lastReader && (await lastReader.text()) === reader) return;
  await cache.put("/", new Response(reader));
  if (lastReader) await Promise.all([PAGES, PICTURES].map((name) => caches.delete(name)));
}

function refresh(urls) {
  return Promise.all(urls.map(async (path) => {
    const url = new URL(path, location.origin);
    await storePage(url, await fetch(url, { cache: "no-cache" }));
  }));
}

async function refreshCachedPages() {
  const cache = await caches.open(FILES);
  const copies = await Promise.all(SITE.pages.map((path) => cache.match(path, { ignoreVary: true })));
  await refresh(SITE.pages.filter((_, index) => copies[index]));
}

function cacheNameOf(url) {
  return SITE.pages.includes(url.pathname + url.search) ? FILES : PAGES;
}

// Normalises percent-encoding, so that each page has one copy.
function keyOf(url) {
  try {
    const path = url.pathname.split("/").map((part) => encodeURIComponent(decodeURIComponent(part))).join("/");
    return url.origin + path + url.search;
  } catch {
    return url.origin + url.pathname + url.search;
  }
}

// --- files and pictures ---

async function respondWithFile(request, url) {
  const cache = await caches.open(FILES);
  const copy = await cache.match(request, { ignoreVary: true });
  if (copy) return copy;
  const [, , mark, name] = url.pathname.split("/");
  try {
    const response = await fetch(request);
    if (response.ok && mark === SITE.mark) await cache.put(request, response.clone()).catch(() => {});
    return response;
  } catch (error) {
    // The stored copy of an older version's page gets the files of this version.
    const replacement = await cache.match(`/assets/${SITE.mark}/${name}`, { ignoreVary: true });
    return replacement || Response.error();
  }
}

async function respondWithPicture(event) {
  try {
    const response = await fetch(event.request);
    event.waitUntil(storePicture(event.request.url, response));
    return response;
  } catch (error) {
    const cache = await caches.open(PICTURES);
    return (await cache.match(event.request.url, { ignoreVary: true })) || Response.error();
  }
}

// Stores public photos only; responses with photos that are pending review lack `public`.
function storePicture(url, response) {
  const isPublic = /^public/.test(response.headers.get("cache-control") || "");
  const size = Number(response.headers.get("content-length"));
  const copy = response.status === 200 && isPublic && size > 0 && size <= MAX_PICTURE_BYTES ? response.clone() : null;
  return enqueue(async () => {
    const cache = await caches.open(PICTURES);
    if (!copy) return TEMPORARY_ERRORS.includes(response.status) || cache.delete(url);
    const now = String(Date.now());
    await cache.put(url, withHeaders(copy, copy.body, { [VIEWED_AT_HEADER]: now }));
    return trim(PICTURES);
  });
}

// Stores the URLs that a page requests because it loaded before this worker: itself, its files, flashcard pictures.
async function storeAll(urls) {
  for (const path of urls) {
    const url = new URL(path, location.origin);
    try {
      if (url.pathname.startsWith("/assets/")) await respondWithFile(new Request(url), url);
      else if (url.pathname.startsWith("/photos/")) await storePicture(url.href, await fetch(url));
      else await storePage(url, await fetch(url, { headers: { accept: "text/html" } }));
    } catch (error) {
      return; // no network: the next visit repeats the request
    }
  }
}

// --- limits ---

let queue = Promise.resolve();

// Runs changes of the caches one after the other; a failed one (such as a full disk) does not block the next.
function enqueue(change) {
  queue = queue.then(change).catch(() => {});
  return queue;
}

// Removes the least recently viewed copies, a tenth of the limit at a time.
async function trim(name) {
  const cache = await caches.open(name);
  const keys = await cache.keys();
  if (keys.length <= MAX_COPIES[name]) return;
  const viewTimes = await Promise.all(keys.map(async (key) => Number((await cache.match(key, { ignoreVary: true }))?.headers.get(VIEWED_AT_HEADER))));
  const order = keys.map((key, index) => ({ key, at: viewTimes[index] })).sort((a, b) => a.at - b.at);
  await Promise.all(order.slice(0, keys.length - MAX_COPIES[name] * 0.9).map(({ key }) => cache.delete(key)));
}
