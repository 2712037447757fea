// Shows a photo before it is sent, says at once what is wrong with it, and how far the sending is.
import { watch } from "./picture.js";

export function begin(form) {
  const file = form.elements.photo;
  const message = form.querySelector("[data-message]");
  const bar = form.querySelector("progress");
  const button = form.querySelector("button");
  const once = crypto.randomUUID?.() ?? String(Math.random());
  watch(form, say);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say("");
    const sending = new XMLHttpRequest();
    sending.open("POST", "/api/submit-foto.php");
    sending.setRequestHeader("Idempotency-Key", `${once}-${file.files[0]?.size}`);
    sending.upload.onprogress = ({ loaded, total }) => {
      bar.value = (100 * loaded) / total;
    };
    sending.onerror = sending.ontimeout = () => over(form.dataset.lost);
    sending.onload = () => {
      if (sending.status === 201) location.href = "/account?done=photo";
      else over(sending.status === 401 ? form.dataset.signedOut : reason(sending.responseText));
    };
    bar.hidden = false;
    button.disabled = true;
    sending.send(new FormData(form));
  });

  function over(text) {
    bar.hidden = true;
    bar.value = 0;
    button.disabled = false;
    say(text);
  }

  function say(text) {
    message.textContent = text;
    message.hidden = !text;
  }
}

function reason(text) {
  try {
    return JSON.parse(text).detail.replaceAll("`", "");
  } catch {
    return "";
  }
}
