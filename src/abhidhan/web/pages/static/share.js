// Shares an address by the phone's own sharing; where there is none, copies it. Without a script a link leads to it.
// `data-share` is the address (of a link, if it is empty: where it leads), `data-title` what is shared, `data-copied`
// what is said of an address that was copied. A link with `data-file` (a type) shares the file that it leads to, where the
// phone shares such files.
export function begin(element) {
  const { file } = element.dataset;
  if (file && !canShare(new File([], "file", { type: file }))) return;
  const address = new URL(element.dataset.share || element.getAttribute("href"), location.href).href;
  const status = document.createElement("span");
  status.className = "shared";
  status.setAttribute("role", "status");
  element.after(status);
  element.hidden = false;
  element.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (file) shareFile(element, address);
    else share(element, address, status);
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

const canShare = (file) => Boolean(navigator.share && navigator.canShare?.({ files: [file] }));

// Where that fails, as it does on some phones when the file takes long to come, the link leads to it after all.
async function shareFile(element, address) {
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.status);
    const name = new URL(address).pathname.slice(1).replaceAll("/", "-");
    const file = new File([await answer.blob()], name, { type: element.dataset.file });
    await navigator.share({ files: [file], title: element.dataset.title });
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address);
  }
}

// The browser does not allow copying: the address is shown, and chosen.
function show(status, address) {
  const field = Object.assign(document.createElement("input"), { readOnly: true, value: address, className: "link", dir: "ltr" });
  status.replaceChildren(field);
  field.setAttribute("aria-label", address);
  field.select();
}
