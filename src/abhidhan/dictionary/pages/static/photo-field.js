// Previews a photo and reports problems before it is sent. If the form of a word is shown again, the chosen photo stays
// in it.
import { leadsAway, number, saying, send, toldBy } from "./form-submission.js";

const KINDS = ["image/jpeg", "image/png", "image/gif", "image/webp"];

export function watch(form, say) {
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
    say(problem ?? "");
    file.setCustomValidity(problem ?? "");
    if (preview.src) URL.revokeObjectURL(preview.src);
    preview.hidden = size.hidden = !chosen || Boolean(problem);
    if (preview.hidden) return;
    preview.src = URL.createObjectURL(chosen);
    size.textContent = `${chosen.name} · ${number(Math.ceil(chosen.size / 1024))} kB`;
  }

  function problemOf(chosen) {
    if (chosen.size > Number(file.dataset.most)) return form.dataset.tooBig;
    return KINDS.includes(chosen.type) ? null : form.dataset.wrongKind;
  }
}

export function begin(form) {
  const file = form.elements.photo;
  const say = saying(form);
  watch(form, say);

  form.addEventListener("submit", (event) => {
    if (!file.files.length) return;
    event.preventDefault();
    say("");
    send(form, { arrived: read, say });
  });

  function read(sending) {
    if (leadsAway(sending, form)) location.href = sending.responseURL;
    else showAgain(sending);
  }

  // Shows the response, which is this page with messages about the form.
  function showAgain(sending) {
    const response = new DOMParser().parseFromString(sending.responseText, "text/html");
    const main = response.querySelector("main");
    const newForm = main?.querySelector("[data-picture]");
    if (!newForm) return say(toldBy(sending));
    main.querySelector("[data-photo-again]")?.remove();
    document.querySelector("main").replaceWith(main);
    newForm.elements.photo.replaceWith(file);
    file.setCustomValidity("");
    document.dispatchEvent(new Event("abhidhan:replaced"));
    (main.querySelector("[role=alert]:not([hidden])") ?? main.querySelector("[name=sense_of]"))?.focus();
  }
}
