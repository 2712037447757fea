// Previews a photo and reports problems before it is sent. If the form of a word is shown again, the chosen photo stays
// in it.
import { isRedirected, messageWriter, readErrorMessage, send } from "./form-submission.js";
import { formatNumber } from "./formatting.js";

const TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"];

export function addPreview(form, showMessage) {
  const file = form.elements.photo;
  const preview = Object.assign(document.createElement("img"), { className: "preview", alt: "", hidden: true });
  const size = Object.assign(document.createElement("p"), { className: "quiet", hidden: true });
  file.parentElement.append(preview, size);
  file.addEventListener("change", show);
  // On a slow connection, a photo may have been chosen before this script was loaded.
  if (file.files.length) show();

  function show() {
    const chosen = file.files[0];
    const problem = chosen && problemOf(chosen);
    showMessage(problem ?? "");
    file.setCustomValidity(problem ?? "");
    if (preview.src) URL.revokeObjectURL(preview.src);
    preview.hidden = size.hidden = !chosen || Boolean(problem);
    if (preview.hidden) return;
    preview.src = URL.createObjectURL(chosen);
    size.textContent = `${chosen.name} · ${formatNumber(Math.ceil(chosen.size / 1024))} kB`;
  }

  function problemOf(chosen) {
    if (chosen.size > Number(file.dataset.maxBytes)) return form.dataset.tooBig;
    return TYPES.includes(chosen.type) ? null : form.dataset.wrongKind;
  }
}

export function init(form) {
  const file = form.elements.photo;
  const showMessage = messageWriter(form);
  addPreview(form, showMessage);

  form.addEventListener("submit", (event) => {
    if (!file.files.length) return;
    event.preventDefault();
    showMessage("");
    send(form, { onResponse: handleResponse, showMessage });
  });

  function handleResponse(request) {
    if (isRedirected(request, form)) location.href = request.responseURL;
    else replaceForm(request);
  }

  // Shows the response, which is this page with messages about the form.
  function replaceForm(request) {
    const response = new DOMParser().parseFromString(request.responseText, "text/html");
    const main = response.querySelector("main");
    const newForm = main?.querySelector("[data-photo-field]");
    if (!newForm) return showMessage(readErrorMessage(request));
    main.querySelector("[data-photo-again]")?.remove();
    document.querySelector("main").replaceWith(main);
    newForm.elements.photo.replaceWith(file);
    file.setCustomValidity("");
    document.dispatchEvent(new Event("abhidhan:replaced"));
    (main.querySelector("[role=alert]:not([hidden])") ?? main.querySelector("[name=sense_of]"))?.focus();
  }
}
