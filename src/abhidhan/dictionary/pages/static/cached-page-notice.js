// Shows on a cached page when it was visited and why the cached copy is shown.
import { formatDateTime } from "./formatting.js";

export function init(root) {
  if (location.pathname === "/offline") return; // This page is the same online.
  const notice = document.querySelector("[data-cached-page-notice]");
  const visited = new Date(Number(root.dataset.cachedAt));
  notice.textContent = `${notice.dataset[root.dataset.cachedReason]} ${notice.dataset.at.replace("{}", formatDateTime(visited))}`;
  notice.hidden = false;
  greyUncachedSets(notice.dataset.notHere);
}

// Greys out sets of flashcards that were never opened, and so are not cached (worker.js).
async function greyUncachedSets(text) {
  for (const link of document.querySelectorAll("main a[href^='/flashcards?set=']")) {
    if (await caches.match(link.href, { ignoreVary: true })) continue;
    link.classList.add("not-cached");
    link.title = text;
  }
}
