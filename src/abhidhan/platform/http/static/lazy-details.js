// Loads the contents of a <details> when it is opened. Without this script, a link in it leads to the full page.
export function init(details) {
  // On a slow device it may have been opened before this script was loaded.
  if (details.open) load(details);
  else details.addEventListener("toggle", () => load(details), { once: true });
  if (target()?.contains(details)) details.open = true;
}

async function load(details) {
  const url = new URL(details.dataset.load, location.href);
  const fragmentURL = new URL(url);
  fragmentURL.searchParams.set("part", details.dataset.part);
  details.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(fragmentURL);
    if (!response.ok) throw new Error(response.status);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const content = CONTENT[details.dataset.part](page);
    const summary = details.querySelector("summary");
    while (summary.nextSibling) summary.nextSibling.remove();
    details.append(...content);
    document.dispatchEvent(new CustomEvent("abhidhan:replaced", { detail: details }));
  } catch {
    location.assign(url);
  } finally {
    details.removeAttribute("aria-busy");
  }
}

const CONTENT = {
  // A sense without its heading, which the summary shows; the links of the heading follow in a line.
  sense(page) {
    const sense = page.querySelector(".sense");
    const heading = sense.querySelector(".answer");
    const links = [...heading.querySelectorAll("a")];
    heading.remove();
    const line = Object.assign(page.createElement("p"), { className: "row-of-links small" });
    line.append(...links);
    return links.length ? [...sense.childNodes, line] : [...sense.childNodes];
  },
  languages: (page) => [...page.querySelectorAll(".sense > .disclosure > :not(summary)")],
};

// The element that the URL names. Any text may follow the #, so it is no selector.
const target = () => document.getElementById(location.hash.slice(1));

addEventListener("hashchange", () => {
  target()?.querySelectorAll(":scope > details[data-load]").forEach((details) => { details.open = true; });
});
