// Shares an address by the phone's own sharing; where there is none, copies it. Without a script a link leads to it.
// `data-share` is the address (of a link, if it is empty: where it leads), `data-title` what is shared, `data-copied`
// what is said of an address that was copied.
export function begin(element) {
  const address = new URL(element.dataset.share || element.getAttribute("href"), location.href).href;
  const status = document.createElement("span");
  status.className = "shared";
  status.setAttribute("role", "status");
  element.after(status);
  element.hidden = false;
  element.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    share(element, address, status);
  });
  if (element.tagName !== "A") return;
  // The link does now what a button does, by the keys of one too.
  element.setAttribute("role", "button");
  element.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    element.click();
  });
}

async function share(element, address, status) {
  const what = { title: element.dataset.title || document.title, url: address };
  if (navigator.share && (!navigator.canShare || navigator.canShare(what))) {
    try {
      return await navigator.share(what);
    } catch (error) {
      // Somebody has thought better of it.
      if (error.name === "AbortError") return;
    }
  }
  try {
    await navigator.clipboard.writeText(address);
    status.textContent = element.dataset.copied;
  } catch {
    show(status, address);
  }
}

// The browser does not allow copying: the address is shown, and chosen.
function show(status, address) {
  const field = Object.assign(document.createElement("input"), { readOnly: true, value: address, className: "link", dir: "ltr" });
  status.replaceChildren(field);
  field.setAttribute("aria-label", address);
  field.select();
}
