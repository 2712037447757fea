// Previews a photo and reports problems before it is sent. If the form of a word is shown again, the chosen photo stays
// in it.
import { leadsAway, number, saying, send, toldBy } from "./sending.js";

const KINDS = ["image/jpeg", "image/png", "image/gif", "image/webp"];

export function watch(form, say) {
  const file = form.elements.photo;
  const preview = Object.assign(document.createElement("img"), { className: "preview", alt: "", hidden: true });
  const size = Object.assign(document.createElement("p"), { className: "quiet", hidden: true });
  file.parentElement.append(preview, size);
  file.addEventListener("change", show);
  // On a slow line somebody has chosen a photo before this came.
  if (file.files.length) show();

  function show() {
    const chosen = file.files[0];
    const wrong = chosen && wrongWith(chosen);
    say(wrong ?? "");
    file.setCustomValidity(wrong ?? "");
    if (preview.src) URL.revokeObjectURL(preview.src);
    preview.hidden = size.hidden = !chosen || Boolean(wrong);
    if (preview.hidden) return;
    preview.src = URL.createObjectURL(chosen);
    size.textContent = `${chosen.name} · ${number(Math.ceil(chosen.size / 1024))} kB`;
  }

  function wrongWith(chosen) {
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
    else comeBack(sending);
  }

  // What the server answers is this very page, with what it says of the form.
  function comeBack(sending) {
    const answered = new DOMParser().parseFromString(sending.responseText, "text/html");
    const main = answered.querySelector("main");
    const fresh = main?.querySelector("[data-picture]");
    if (!fresh) return say(toldBy(sending));
    main.querySelector("[data-photo-again]")?.remove();
    document.querySelector("main").replaceWith(main);
    fresh.elements.photo.replaceWith(file);
    file.setCustomValidity("");
    document.dispatchEvent(new Event("abhidhan:replaced"));
    (main.querySelector("[role=alert]:not([hidden])") ?? main.querySelector("[name=sense_of]"))?.focus();
  }
}
