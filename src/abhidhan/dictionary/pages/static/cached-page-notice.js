// Shows on a cached page when it was visited and why the cached copy is shown.
import { moment } from "./formatting.js";

export function begin(root) {
  if (location.pathname === "/offline") return; // This page is the same online.
  const notice = document.querySelector("[data-seen-notice]");
  const at = new Date(Number(root.dataset.seen));
  notice.textContent = `${notice.dataset[root.dataset.why]} ${notice.dataset.at.replace("{}", moment(at))}`;
  notice.hidden = false;
  greySets(notice.dataset.notHere);
}

// Greys out sets of flashcards that were never opened, and so are not cached (worker.js).
async function greySets(text) {
  for (const link of document.querySelectorAll("main a[href^='/flashcards?set=']")) {
    if (await caches.match(link.href, { ignoreVary: true })) continue;
    link.classList.add("not-here");
    link.title = text;
  }
}
