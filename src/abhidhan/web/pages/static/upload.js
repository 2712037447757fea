// Shows a photo before it is sent, says at once what is wrong with it, and how far the sending is.
import { watch } from "./picture.js";
import { onceOnly, saying, sendToApi } from "./sending.js";

export function begin(form) {
  const file = form.elements.photo;
  const say = saying(form);
  const once = onceOnly();
  watch(form, say);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const key = `${once}-${file.files[0]?.size}`;
    sendToApi(form, { address: "/api/submit-foto.php", key, next: "/account?done=photo", say });
  });
}
