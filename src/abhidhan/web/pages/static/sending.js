// Sends a form with a file in the background and tells how far that is. What fails leaves the form as it was.
export function send(form, { address, key, loaded, lost }) {
  const bar = form.querySelector("progress");
  const button = form.querySelector("button:not([type=button])");
  // A button that is disabled would lose the focus.
  if (button.getAttribute("aria-disabled") === "true") return;
  const sending = new XMLHttpRequest();
  sending.open("POST", address);
  if (key) sending.setRequestHeader("Idempotency-Key", key);
  sending.upload.onprogress = ({ loaded: sent, total }) => {
    bar.value = (100 * sent) / total;
  };
  sending.onloadend = () => {
    bar.hidden = true;
    bar.value = 0;
    button.removeAttribute("aria-disabled");
  };
  sending.onerror = sending.ontimeout = lost;
  sending.onload = () => loaded(sending);
  bar.hidden = false;
  button.setAttribute("aria-disabled", "true");
  sending.send(new FormData(form));
}

// Sends a form to the API; a file that is taken leads to another page, any other answer is told.
export function sendToApi(form, { address, key, next, say }) {
  say("");
  send(form, {
    address,
    key,
    loaded: (sending) => {
      if (sending.status === 201) location.href = next;
      else say(sending.status === 401 ? form.dataset.signedOut : reason(sending.responseText) || form.dataset.lost);
    },
    lost: () => say(form.dataset.lost),
  });
}

// A key by which the API knows a form that is sent again.
export function onceOnly() {
  return crypto.randomUUID?.() ?? String(Math.random());
}

// Says something in the form's place for messages.
export function saying(form) {
  const message = form.querySelector("[data-message]");
  return (text) => {
    message.textContent = text;
    message.hidden = !text;
  };
}

function reason(text) {
  try {
    return JSON.parse(text).detail.replaceAll("`", "");
  } catch {
    return "";
  }
}
