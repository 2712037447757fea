// Shows a photo before it is sent, says at once what is wrong with it, and how far the sending is.
import { watch } from "./picture.js";
import { onceOnly, saying, sendAway } from "./sending.js";

export function begin(form) {
  const file = form.elements.photo;
  const say = saying(form);
  const once = onceOnly();
  watch(form, say);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sendAway(form, { key: `${once}-${file.files[0]?.size}`, say });
  });
}
