// Loads the scripts that a page can use. Every page works without them.
const MODULES = [
  ["[data-suggest], [data-roman]", "./suggest.js"],
  ["[data-keyboard]:not(.search-box *)", "./keyboard.js"],
  ["[data-transliterate]", "./transliterate.js"],
  ["[data-cards]", "./cards.js"],
  ["[data-sets]", "./card-sets.js"],
  ["[data-article]", "./article.js"],
  ["details[data-load]", "./lazy-details.js"],
  ["[data-photo-upload]", "./photo-upload.js"],
  ["[data-photo-field]", "./photo-field.js"],
  ["[data-draft]", "./form-draft.js"],
  ["[data-similar]", "./similar.js"],
  ["[data-queue]", "./queue.js"],
  ["[data-copy]", "./copy.js"],
  ["[data-share]", "./share.js"],
  ["[data-record]", "./record.js"],
  ["[data-cached-at]", "./cached-page-notice.js"],
  ["[data-cached-pages]", "./cached-pages.js"],
  ["[data-install]", "./install.js"],
  ["a[data-play]", "./play.js"],
  ["[data-star]", "./star.js"],
  ["[data-viewed-word]", "./history.js"],
  ["[data-my-lists]", "./my-lists.js"],
  ["[data-list-sync]", "./list-sync-settings.js"],
  ["[data-recent-words]", "./recent-words.js"],
  ["[data-save-list]", "./save-list.js"],
  ["[data-pack-results]", "./pack-results.js"],
  ["[data-packs]", "./packs.js"],
  ["[data-downloaded-packs]", "./downloaded-packs.js"],
];
function load(root) {
  for (const [selector, module] of MODULES) {
    const elements = root.querySelectorAll(selector);
    if (elements.length) import(module).then(({ init }) => elements.forEach((element) => init(element)));
  }
  root.querySelectorAll(".search-box > .key").forEach((key) => key.addEventListener("click", openKeyboard, { once: true }));
}
// Loads the on-screen keyboard of the search field when its key is first pressed.
async function openKeyboard({ currentTarget: key }) {
  const { init } = await import("./keyboard.js");
  init(key.parentElement.querySelector("[data-keyboard]"));
  key.click();
}
// Closes open menus on a press outside them, and with the Escape key.
document.addEventListener("pointerdown", ({ target }) => {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) menu.open = menu.contains(target);
});
document.addEventListener("keydown", ({ key, target }) => {
  const menu = key === "Escape" && target.closest("details[data-menu][open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
load(document);
// Content that was replaced without a new page: a returned form (photo-field.js), an opened <details> (lazy-details.js).
document.addEventListener("abhidhan:replaced", ({ detail }) => load(detail ?? document.querySelector("main")));

// Delete the stored draft of a form that was accepted (form-draft.js).
if (document.querySelector(".notice[role=status]")) {
  sessionStorage.removeItem(sessionStorage.getItem("abhidhan.sent"));
  sessionStorage.removeItem("abhidhan.sent");
}

// Does not send forms while offline, so that input is not lost with the page. Forms sent by scripts do this themselves.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (navigator.onLine !== false || event.defaultPrevented || form.method !== "post") return;
  event.preventDefault();
  sessionStorage.removeItem("abhidhan.sent");
  form.querySelector("[data-not-sent]")?.remove();
  const message = Object.assign(document.createElement("p"), { className: "problems", textContent: document.body.dataset.notSent });
  message.dataset.notSent = "";
  message.setAttribute("role", "alert");
  (event.submitter ?? form.lastElementChild).before(message);
});

// Offline copies of visited pages (worker.js), set up after everything else has loaded.
const { worker } = document.documentElement.dataset;
if (worker && isSecureContext && "serviceWorker" in navigator) {
  addEventListener("load", () => import("./register-worker.js").then(({ init }) => init(worker)));
} else if (isSecureContext && "serviceWorker" in navigator) {
  addEventListener("load", () => removeWorker().catch(() => {}));
}

// Removes the service worker where offline use is turned off. Its replacement (no-worker.js) is activated only when
// Chromium considers the old worker idle, after up to five minutes. The old worker may still store this page; the next
// page deletes that copy.
async function removeWorker() {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration?.unregister();
  const names = (await caches.keys()).filter((name) => name.startsWith("abhidhan-"));
  await Promise.all(names.map((name) => caches.delete(name)));
}

// Update the offline packs on this device when there is a network.
if (hasPacks()) {
  import("./pack-update.js").then(({ updateInBackground }) => updateInBackground());
}
function hasPacks() {
  try {
    return localStorage.getItem("abhidhan.packs") !== null;
  } catch {
    return false;
  }
}

// Open all <details> for printing: Firefox cannot do it with CSS alone.
addEventListener("beforeprint", () => {
  document.querySelectorAll(".entry details:not(.more, [data-load])").forEach((details) => { details.open = true; });
});

// The slash key moves the focus to the search box.
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    document.querySelector("#q")?.focus();
    event.preventDefault();
  }
});
