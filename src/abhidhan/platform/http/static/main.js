// Loads what a page can use. Without any of it every page works, only more slowly.
const wanted = [
  ["[data-suggest], [data-roman]", "./suggest.js"],
  ["[data-keyboard]", "./keyboard.js"],
  ["[data-transliterate]", "./transliterate.js"],
  ["[data-cards], [data-sets]", "./cards.js"],
  ["[data-article]", "./article.js"],
  ["[data-fold]", "./fold.js"],
  ["[data-upload]", "./upload.js"],
  ["[data-picture]", "./picture.js"],
  ["[data-kept]", "./keep.js"],
  ["[data-similar]", "./similar.js"],
  ["[data-queue]", "./queue.js"],
  ["[data-copy]", "./copy.js"],
  ["[data-share]", "./share.js"],
  ["[data-record]", "./record.js"],
  ["[data-seen]", "./seen.js"],
  ["[data-kept-pages]", "./kept-pages.js"],
  ["[data-install]", "./install.js"],
  ["a[data-play]", "./play.js"],
  ["[data-star]", "./star.js"],
  ["[data-looked-up]", "./history.js"],
  ["[data-my-lists]", "./my-lists.js"],
  ["[data-lists-kept]", "./lists-kept.js"],
  ["[data-lately]", "./lately.js"],
  ["[data-keep-list]", "./keep-list.js"],
  ["[data-pack-results]", "./pack-results.js"],
  ["[data-packs]", "./packs.js"],
];
function load(root) {
  for (const [selector, module] of wanted) {
    const found = root.querySelectorAll(selector);
    if (found.length) import(module).then(({ begin }) => found.forEach((element) => begin(element)));
  }
}
load(document);
// What came without leaving the page: a form that came back (picture.js), what was folded (fold.js).
document.addEventListener("abhidhan:replaced", ({ detail }) => load(detail ?? document.querySelector("main")));

// What was sent and taken is kept no longer (keep.js).
if (document.querySelector(".notice[role=status]")) {
  sessionStorage.removeItem(sessionStorage.getItem("abhidhan.sent"));
  sessionStorage.removeItem("abhidhan.sent");
}

// Without a network a form stays as it is: what was typed is not lost with the page. Forms that a script sends say so themselves.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (navigator.onLine !== false || event.defaultPrevented || form.method !== "post") return;
  event.preventDefault();
  sessionStorage.removeItem("abhidhan.sent");
  form.querySelector("[data-not-sent]")?.remove();
  const told = Object.assign(document.createElement("p"), { className: "problems", textContent: document.body.dataset.notSent });
  told.dataset.notSent = "";
  told.setAttribute("role", "alert");
  (event.submitter ?? form.lastElementChild).before(told);
});

// Pages that were seen, for when there is no network (worker.js). All else comes before.
const { worker } = document.documentElement.dataset;
if (worker && isSecureContext && "serviceWorker" in navigator) {
  addEventListener("load", () => import("./offline.js").then(({ begin }) => begin(worker)));
} else if (isSecureContext && "serviceWorker" in navigator) {
  addEventListener("load", () => forgetOffline().catch(() => {}));
}

// The worker is no longer wanted here, and the page ends it: the one that stands in its place (no-worker.js) does not begin
// before Chromium thinks that the old one has nothing more to do, which took it up to five minutes. Until it is gone the old
// one may still keep the page that it fetched: the next page finds that.
async function forgetOffline() {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.unregister();
  const own = (await caches.keys()).filter((name) => name.startsWith("abhidhan-"));
  await Promise.all(own.map((name) => caches.delete(name)));
}

// Whoever keeps the dictionary on this device has it renewed when there is a network.
if (keepsPacks()) {
  import("./pack-renewal.js").then(({ renewQuietly }) => renewQuietly());
}
function keepsPacks() {
  try {
    return localStorage.getItem("abhidhan.packs") !== null;
  } catch {
    return false;
  }
}

// The slash key leads to the search box.
document.addEventListener("keydown", (event) => {
  const busy = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !busy && !event.ctrlKey && !event.metaKey && !event.altKey) {
    document.querySelector("#q")?.focus();
    event.preventDefault();
  }
});
