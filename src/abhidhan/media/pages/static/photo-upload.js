// Previews a photo, reports problems before it is sent, and shows the progress of the upload.
import { createIdempotencyKey, messageWriter, sendAndFollow } from "./form-submission.js";
import { addPreview } from "./photo-field.js";

export function init(form) {
  const file = form.elements.photo;
  const showMessage = messageWriter(form);
  const keyPrefix = createIdempotencyKey();
  addPreview(form, showMessage);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sendAndFollow(form, { key: `${keyPrefix}-${file.files[0]?.size}`, showMessage });
  });
}
