// Keyboard shortcuts of a review queue: J and K move, A approves, R opens the field for a reason.
export function init(queue) {
  const items = [...queue.children];
  let index = -1;
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const current = items[Math.max(index, 0)];
    if (key === "j" || key === "k") {
      index = Math.min(Math.max(index + (key === "j" ? 1 : -1), 0), items.length - 1);
      items[index].focus();
    } else if (key === "a") current.querySelector("[data-approve]").click();
    else if (key === "r") current.querySelector("[data-reason]").focus();
    else return;
    event.preventDefault();
  });
  // The page describes the keys only when they work.
  document.querySelector("[data-queue-keys]").hidden = false;
}
