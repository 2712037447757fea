// Moves through a queue by keyboard: J and K, A approves, R writes a reason.
export function begin(queue) {
  const items = [...queue.children];
  let at = -1;
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const here = items[Math.max(at, 0)];
    if (key === "j" || key === "k") {
      at = Math.min(Math.max(at + (key === "j" ? 1 : -1), 0), items.length - 1);
      items[at].focus();
    } else if (key === "a") here.querySelector("[data-approve]").click();
    else if (key === "r") here.querySelector("[data-reason]").focus();
    else return;
    event.preventDefault();
  });
  // Only now do the keys work, so only now the page names them.
  document.querySelector("[data-queue-keys]").hidden = false;
}
