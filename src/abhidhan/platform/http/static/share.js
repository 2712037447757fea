// Shares a URL through the device's share sheet, or copies it if there is none. Without this script, a link opens it.
// `data-share` is the URL (if empty, the link's `href`), `data-title` the title to share, `data-copied` the message
// after copying.
export function init(element) {
  const url = new URL(element.dataset.share || element.getAttribute("href"), location.href).href;
  const status = document.createElement("span");
  status.className = "shared";
  status.setAttribute("role", "status");
  element.after(status);
  element.hidden = false;
  element.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    share(element, url, status);
  });
  if (element.tagName !== "A") return;
  // Make the link behave like a button, including the space key.
  element.setAttribute("role", "button");
  element.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    element.click();
  });
}

async function share(element, url, status) {
  const data = { title: element.dataset.title || document.title, url };
  if (navigator.share && (!navigator.canShare || navigator.canShare(data))) {
    try {
      return await navigator.share(data);
    } catch (error) {
      // The user has cancelled.
      if (error.name === "AbortError") return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    status.textContent = element.dataset.copied;
  } catch {
    show(status, url);
  }
}

// Shows and selects the URL if the browser denies access to the clipboard.
function show(status, url) {
  const input = Object.assign(document.createElement("input"), { readOnly: true, value: url, className: "link", dir: "ltr" });
  status.replaceChildren(input);
  input.setAttribute("aria-label", url);
  input.select();
}
