// Sends a form with a file in the background and shows the progress. After a failure, the same button sends it again;
// the server recognises repeated requests by their key.
const STALL_TIMEOUT = 30_000; // ms without progress
const RESPONSE_TIMEOUT = 90_000; // ms for the response after the upload, as the server may have a queue

// Sends the form, and calls `onResponse` with any response; without a response, shows a message.
export function send(form, { key, onResponse, showMessage }) {
  const bar = form.querySelector("progress");
  const button = form.querySelector("button:not([type=button])");
  // A disabled button would lose the focus.
  if (button.getAttribute("aria-disabled") === "true") return;
  const request = new XMLHttpRequest();
  let failure = "lost";
  let timer;
  const abort = (reason) => {
    failure = reason;
    request.abort();
  };
  const restartTimeout = (time) => {
    clearTimeout(timer);
    timer = setTimeout(abort, time, "stalled");
  };
  const abortOffline = () => abort("offline");
  request.open("POST", form.action);
  if (key) request.setRequestHeader("Idempotency-Key", key);
  request.upload.onprogress = ({ loaded, total }) => {
    bar.value = (100 * loaded) / total;
    restartTimeout(STALL_TIMEOUT);
  };
  request.upload.onload = () => restartTimeout(RESPONSE_TIMEOUT);
  request.onprogress = () => restartTimeout(STALL_TIMEOUT);
  request.onloadend = () => {
    clearTimeout(timer);
    removeEventListener("offline", abortOffline);
    guardUnload(request, false);
    bar.hidden = true;
    bar.value = 0;
    button.removeAttribute("aria-disabled");
  };
  request.onerror = request.onabort = () => {
    button.textContent = form.dataset.resend;
    showMessage(form.dataset[navigator.onLine ? failure : "offline"]);
  };
  request.onload = () => {
    guardUnload(request, false);
    onResponse(request);
  };
  addEventListener("offline", abortOffline);
  guardUnload(request, true);
  bar.hidden = false;
  button.setAttribute("aria-disabled", "true");
  restartTimeout(STALL_TIMEOUT);
  request.send(new FormData(form));
}

// Sends a form that redirects to another page on success; the message of any other response is shown.
export function sendAndFollow(form, { key, showMessage, onSuccess = () => {} }) {
  showMessage("");
  send(form, {
    key,
    showMessage,
    onResponse: (request) => {
      if (isRedirected(request, form)) {
        onSuccess();
        location.href = request.responseURL;
      } else showMessage(request.status === 401 ? form.dataset.signedOut : readErrorMessage(request));
    },
  });
}

export function isRedirected({ responseURL }, form) {
  return responseURL && new URL(responseURL).pathname !== new URL(form.action).pathname;
}

// Returns the message of an HTML response: the problems of a form, an error, or the page of a proxy.
export function readErrorMessage({ responseText, status }) {
  const page = new DOMParser().parseFromString(responseText, "text/html");
  const texts = (selector) => [...page.querySelectorAll(selector)].map((element) => element.textContent.trim()).join(" ");
  return texts(".problems li") || texts("[role=alert]:not([hidden])") || texts("h1") || texts("title") || `${status}`;
}

const unloadReasons = new Set();

// Adds or removes a reason to ask for confirmation before the page is left, such as an unsent recording.
export function guardUnload(reason, isAdded) {
  if (isAdded) unloadReasons.add(reason);
  else unloadReasons.delete(reason);
  if (unloadReasons.size) addEventListener("beforeunload", confirmUnload);
  else removeEventListener("beforeunload", confirmUnload);
}

function confirmUnload(event) {
  event.preventDefault();
  // For older browsers.
  event.returnValue = "";
}

// Returns an idempotency key.
export function createIdempotencyKey() {
  return crypto.randomUUID?.() ?? String(Math.random());
}

// Returns a function that shows a message in the form.
export function messageWriter(form) {
  const message = form.querySelector("[data-message]");
  return (text) => {
    message.textContent = text;
    message.hidden = !text;
  };
}
