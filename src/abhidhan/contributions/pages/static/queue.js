// Keyboard shortcuts of a review queue: J and K move, A approves, R opens the field for a reason.
export function begin(queue) {
  const items = [...queue.children];
  let at = -1;
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const current = items[Math.max(at, 0)];
    if (key === "j" || key === "k") {
      at = Math.min(Math.max(at + (key === "j" ? 1 : -1), 0), items.length - 1);
      items[at].focus();
    } else if (key === "a") current.querySelector("[data-approve]").click();
    else if (key === "r") current.querySelector("[data-reason]").focus();
    else return;
    event.preventDefault();
  });
  // The page describes the keys only when they work.
  document.querySelector("[data-queue-keys]").hidden = false;
}
