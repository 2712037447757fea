// Registers the service worker (worker.js), and lets it cache the files that this page loaded before.
export async function init(url) {
  try {
    const isNew = !navigator.serviceWorker.controller;
    await navigator.serviceWorker.register(url);
    const { active } = await navigator.serviceWorker.ready;
    const [, , mark] = new URL(import.meta.url).pathname.split("/");
    active.postMessage({ mark, keep: isNew ? [...filesOfPage(), ...pagesToCache()] : picturesOfCards() });
  } catch {
    // Service workers are denied or storage is full: the pages work online only.
  }
}

function filesOfPage() {
  return performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => name.startsWith(`${location.origin}/assets/`));
}

function pagesToCache() {
  return navigator.connection?.saveData ? [] : [location.href, ...picturesOfCards()];
}

// Pictures of flashcards are loaded only when their card is turned, but the set should be complete offline.
function picturesOfCards() {
  if (navigator.connection?.saveData) return [];
  return [...document.querySelectorAll(".cards img")].map((image) => image.src);
}
