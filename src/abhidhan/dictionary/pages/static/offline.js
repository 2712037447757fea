// Registers the service worker (worker.js), and lets it cache the files that this page loaded before.
export async function begin(address) {
  try {
    const isNew = !navigator.serviceWorker.controller;
    await navigator.serviceWorker.register(address);
    const { active } = await navigator.serviceWorker.ready;
    const [, , mark] = new URL(import.meta.url).pathname.split("/");
    active.postMessage({ mark, keep: isNew ? [...filesOfPage(), ...pagesToKeep()] : picturesOfCards() });
  } catch {
    // Not allowed here, or no room: the pages work as long as there is a network.
  }
}

function filesOfPage() {
  return performance.getEntriesByType("resource").map((each) => each.name).filter((name) => name.startsWith(`${location.origin}/assets/`));
}

function pagesToKeep() {
  return navigator.connection?.saveData ? [] : [location.href, ...picturesOfCards()];
}

// The pictures of a set of flashcards are loaded only when their card is turned; it is to be complete without a network.
function picturesOfCards() {
  if (navigator.connection?.saveData) return [];
  return [...document.querySelectorAll(".cards img")].map((each) => each.src);
}
