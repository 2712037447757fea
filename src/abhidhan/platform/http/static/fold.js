// Opens what is folded where it stands. Without this, or if it fails, the link leads to a page that has it all.
const opened = (link) => link.getAttribute("aria-expanded") === "true";

export function begin(link) {
  link.setAttribute("aria-expanded", "false");
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    toggle(link);
  });
}

async function toggle(link) {
  link.setAttribute("aria-expanded", String(!opened(link)));
  if (link.inside) {
    link.inside.hidden = !opened(link);
    return;
  }
  link.inside = document.createElement("div");
  link.inside.className = "unfolded";
  link.after(link.inside);
  link.inside.setAttribute("aria-busy", "true");
  try {
    const address = new URL(link.href);
    address.searchParams.set("part", link.dataset.part);
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    link.inside.replaceChildren(...page.querySelectorAll(link.dataset.fold));
    document.dispatchEvent(new CustomEvent("abhidhan:replaced", { detail: link.inside }));
    link.inside.removeAttribute("aria-busy");
  } catch {
    location.assign(link.href);
  }
}

// A list of senses leads to a folded one: it opens.
addEventListener("hashchange", openTarget);
function openTarget() {
  const link = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.querySelector(":scope > [data-fold]");
  if (link && !opened(link)) toggle(link);
}
openTarget();
