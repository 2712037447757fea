// The service worker. Pages are always fetched from the server; without a network, the stored copy of a visited page or
// /offline is shown. The server prepends `const SITE = {mark, pages, files, least}` to this file (offline.py).
const FILES = `abhidhan-files-${SITE.mark}`; // styles, scripts and fonts of this version, and the pages in SITE.pages
const SEEN = "abhidhan-pages";
const PICTURES = "abhidhan-pictures";
const READER = "abhidhan-reader";
const MAX_COPIES = { [SEEN]: 200, [PICTURES]: 100 };
const MAX_PICTURE_BYTES = 500_000;
const OFFLINE = "/offline";
const SEARCHES = ["/search", "/dic", "/dic.php", "/shared"];
const UNREACHABLE = [502, 503, 504]; // from a proxy, or from a server that is starting
const TEMPORARY_ERRORS = [429, 500, ...UNREACHABLE]; // temporary failures, which say nothing about the page
const SEEN_AT = "abhidhan-seen-at";
const LOOKED_AT = "abhidhan-looked-at";
const COPIED_HEADERS = ["content-type", "content-security-policy", "permissions-policy", "referrer-policy", "x-content-type-options"];

addEventListener("install", (event) => event.waitUntil(prepare().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("message", (event) => event.waitUntil(Promise.all([storeAll(event.data.keep), renew(event.data.mark)])));
addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate" || address.searchParams.has("part")) event.respondWith(page(event, address));
  else if (address.pathname.startsWith("/assets/")) event.respondWith(file(request, address));
  else if (address.pathname.startsWith("/photos/") && request.destination === "image") event.respondWith(picture(event));
});

// --- installation and activation ---

async function prepare() {
  const cache = await caches.open(FILES);
  await cache.addAll(savesData() ? SITE.least : SITE.files);
  await refresh(savesData() ? [OFFLINE] : SITE.pages);
}

function savesData() {
  return Boolean(self.navigator.connection && self.navigator.connection.saveData);
}

async function begin() {
  const old = (await caches.keys()).filter((name) => name.startsWith("abhidhan-files-") && name !== FILES);
  await Promise.all(old.map((name) => caches.delete(name)));
  // Earlier versions enabled it; with it, Firefox shows no page when the server cannot be reached.
  await registration.navigationPreload?.disable();
  await clients.claim();
}

// Updates the worker after a page of another version was loaded; browsers would do so by themselves, but later.
async function renew(mark) {
  if (mark !== SITE.mark) await registration.update().catch(() => {});
}

// --- pages ---

async function page(event, address) {
  try {
    const answer = await fetch(event.request);
    if (UNREACHABLE.includes(answer.status)) return (await copyOf(address, "unreachable")) || answer;
    event.waitUntil(storePage(address, answer));
    // The language or the theme may have changed.
    if (address.pathname === "/preferences" || address.searchParams.has("saved")) event.waitUntil(refreshKept());
    return answer;
  } catch (error) {
    if (event.request.mode === "navigate") return offlinePage(address);
    return (await copyOf(address, "offline")) || Response.error();
  }
}

async function offlinePage(address) {
  const copy = await copyOf(address, "offline");
  if (copy) return copy;
  const query = SEARCHES.includes(address.pathname) && ["q", "w", "text"].map((name) => address.searchParams.get(name)).find(Boolean);
  if (query) return Response.redirect(`/dic/${encodeURIComponent(query)}`);
  const offline = await caches.match(OFFLINE, { ignoreVary: true });
  return offline || Response.error();
}

// Stores a page if the server allows it; deletes the copy of a page that was withdrawn or may no longer be stored.
function storePage(address, answer) {
  const [keeps, reader] = (answer.headers.get("abhidhan-offline") || "").split(" ");
  const copy = answer.status === 200 && keeps === "keep" ? answer.clone() : null;
  return enqueue(async () => {
    if (reader) await deleteOtherReaders(reader);
    const name = cacheOf(address);
    const cache = await caches.open(name);
    if (copy) {
      const now = String(Date.now());
      await cache.put(keyOf(address), withHeaders(copy, copy.body, { [SEEN_AT]: now, [LOOKED_AT]: now }));
      await trim(name);
    } else if (name === SEEN && !TEMPORARY_ERRORS.includes(answer.status)) await cache.delete(keyOf(address));
  });
}

// Returns the stored copy of a page. Its <html> tag has the time of the visit and the reason (shown by cached-page-notice.js).
async function copyOf(address, why) {
  const cache = await caches.open(cacheOf(address));
  const key = keyOf(address);
  const found = await cache.match(key, { ignoreVary: true });
  if (!found) return null;
  enqueue(() => updateViewTime(cache, key));
  const html = await found.text();
  return withHeaders(found, html.replace("<html ", `<html data-seen="${Number(found.headers.get(SEEN_AT))}" data-why="${why}" `), {});
}

async function updateViewTime(cache, key) {
  const copy = await cache.match(key, { ignoreVary: true });
  if (copy) await cache.put(key, withHeaders(copy, copy.body, { [SEEN_AT]: copy.headers.get(SEEN_AT), [LOOKED_AT]: String(Date.now()) }));
}

function withHeaders(answer, body, more) {
  const kept = COPIED_HEADERS.filter((name) => answer.headers.has(name)).map((name) => [name, answer.headers.get(name)]);
  return new Response(body, { headers: [...kept, ...Object.entries(more)] });
}

// Deletes all copies after signing in or out, so that the next user of this device cannot see them.
async function deleteOtherReaders(reader) {
  const cache = await caches.open(READER);
  const known = await cache.match("/");
  if (known && (await known.text()) === reader) return;
  await cache.put("/", new Response(reader));
  if (known) await Promise.all([SEEN, PICTURES].map((name) => caches.delete(name)));
}

function refresh(addresses) {
  return Promise.all(addresses.map(async (each) => {
    const address = new URL(each, location.origin);
    await storePage(address, await fetch(address, { cache: "no-cache" }));
  }));
}

async function refreshKept() {
  const cache = await caches.open(FILES);
  const kept = await Promise.all(SITE.pages.map((each) => cache.match(each, { ignoreVary: true })));
  await refresh(SITE.pages.filter((_, place) => kept[place]));
}

function cacheOf(address) {
  return SITE.pages.includes(address.pathname + address.search) ? FILES : SEEN;
}

// Normalises percent-encoding, so that each page has one copy.
function keyOf(address) {
  try {
    const path = address.pathname.split("/").map((part) => encodeURIComponent(decodeURIComponent(part))).join("/");
    return address.origin + path + address.search;
  } catch {
    return address.origin + address.pathname + address.search;
  }
}

// --- files and pictures ---

async function file(request, address) {
  const cache = await caches.open(FILES);
  const found = await cache.match(request, { ignoreVary: true });
  if (found) return found;
  const [, , mark, name] = address.pathname.split("/");
  try {
    const answer = await fetch(request);
    if (answer.ok && mark === SITE.mark) await cache.put(request, answer.clone()).catch(() => {});
    return answer;
  } catch (error) {
    // The stored copy of an older version's page gets the files of this version.
    const own = await cache.match(`/assets/${SITE.mark}/${name}`, { ignoreVary: true });
    return own || Response.error();
  }
}

async function picture(event) {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(storePicture(event.request.url, answer));
    return answer;
  } catch (error) {
    const cache = await caches.open(PICTURES);
    return (await cache.match(event.request.url, { ignoreVary: true })) || Response.error();
  }
}

// Stores public photos only; responses with photos that are pending review lack `public`.
function storePicture(address, answer) {
  const isPublic = /^public/.test(answer.headers.get("cache-control") || "");
  const size = Number(answer.headers.get("content-length"));
  const copy = answer.status === 200 && isPublic && size > 0 && size <= MAX_PICTURE_BYTES ? answer.clone() : null;
  return enqueue(async () => {
    const cache = await caches.open(PICTURES);
    if (!copy) return TEMPORARY_ERRORS.includes(answer.status) || cache.delete(address);
    const now = String(Date.now());
    await cache.put(address, withHeaders(copy, copy.body, { [LOOKED_AT]: now }));
    return trim(PICTURES);
  });
}

// Stores the URLs that a page requests because it loaded before this worker: itself, its files, flashcard pictures.
async function storeAll(addresses) {
  for (const each of addresses) {
    const address = new URL(each, location.origin);
    try {
      if (address.pathname.startsWith("/assets/")) await file(new Request(address), address);
      else if (address.pathname.startsWith("/photos/")) await storePicture(address.href, await fetch(address));
      else await storePage(address, await fetch(address, { headers: { accept: "text/html" } }));
    } catch (error) {
      return; // no network: the next visit repeats the request
    }
  }
}

// --- limits ---

let last = Promise.resolve();

// Runs changes of the caches one after the other; a failed one (such as a full disk) does not block the next.
function enqueue(change) {
  last = last.then(change).catch(() => {});
  return last;
}

// Removes the least recently viewed copies, a tenth of the limit at a time.
async function trim(name) {
  const cache = await caches.open(name);
  const keys = await cache.keys();
  if (keys.length <= MAX_COPIES[name]) return;
  const viewTimes = await Promise.all(keys.map(async (key) => Number((await cache.match(key, { ignoreVary: true }))?.headers.get(LOOKED_AT))));
  const order = keys.map((key, place) => ({ key, at: viewTimes[place] })).sort((one, other) => one.at - other.at);
  await Promise.all(order.slice(0, keys.length - MAX_COPIES[name] * 0.9).map(({ key }) => cache.delete(key)));
}
