// Previews a photo, reports problems before it is sent, and shows the progress of the upload.
import { watch } from "./photo-field.js";
import { onceOnly, saying, sendAway } from "./form-submission.js";

export function begin(form) {
  const file = form.elements.photo;
  const say = saying(form);
  const keyPrefix = onceOnly();
  watch(form, say);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sendAway(form, { key: `${keyPrefix}-${file.files[0]?.size}`, say });
  });
}
