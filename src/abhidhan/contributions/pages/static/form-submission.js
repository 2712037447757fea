// Sends a form with a file in the background and shows the progress. After a failure, the same button sends it again;
// the server recognises repeated requests by their key.
const STALL_TIMEOUT = 30_000; // ms without progress
const RESPONSE_TIMEOUT = 90_000; // ms for the response after the upload, as the server may have a queue

// Sends the form, and calls `arrived` with any response; without a response, shows a message.
export function send(form, { key, arrived, say }) {
  const bar = form.querySelector("progress");
  const button = form.querySelector("button:not([type=button])");
  // A disabled button would lose the focus.
  if (button.getAttribute("aria-disabled") === "true") return;
  const request = new XMLHttpRequest();
  let failure = "lost";
  let timer;
  const giveUp = (reason) => {
    failure = reason;
    request.abort();
  };
  const wait = (time) => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, time, "stalled");
  };
  const offline = () => giveUp("offline");
  request.open("POST", form.action);
  if (key) request.setRequestHeader("Idempotency-Key", key);
  request.upload.onprogress = ({ loaded, total }) => {
    bar.value = (100 * loaded) / total;
    wait(STALL_TIMEOUT);
  };
  request.upload.onload = () => wait(RESPONSE_TIMEOUT);
  request.onprogress = () => wait(STALL_TIMEOUT);
  request.onloadend = () => {
    clearTimeout(timer);
    removeEventListener("offline", offline);
    wouldLose(request, false);
    bar.hidden = true;
    bar.value = 0;
    button.removeAttribute("aria-disabled");
  };
  request.onerror = request.onabort = () => {
    button.textContent = form.dataset.resend;
    say(form.dataset[navigator.onLine ? failure : "offline"]);
  };
  request.onload = () => {
    wouldLose(request, false);
    arrived(request);
  };
  addEventListener("offline", offline);
  wouldLose(request, true);
  bar.hidden = false;
  button.setAttribute("aria-disabled", "true");
  wait(STALL_TIMEOUT);
  request.send(new FormData(form));
}

// Sends a form that redirects to another page on success; the message of any other response is shown.
export function sendAway(form, { key, say, sent = () => {} }) {
  say("");
  send(form, {
    key,
    say,
    arrived: (request) => {
      if (leadsAway(request, form)) {
        sent();
        location.href = request.responseURL;
      } else say(request.status === 401 ? form.dataset.signedOut : toldBy(request));
    },
  });
}

export function leadsAway({ responseURL }, form) {
  return responseURL && new URL(responseURL).pathname !== new URL(form.action).pathname;
}

// Returns the message of an HTML response: the problems of a form, an error, or the page of a proxy.
export function toldBy({ responseText, status }) {
  const page = new DOMParser().parseFromString(responseText, "text/html");
  const texts = (selector) => [...page.querySelectorAll(selector)].map((each) => each.textContent.trim()).join(" ");
  return texts(".problems li") || texts("[role=alert]:not([hidden])") || texts("h1") || texts("title") || `${status}`;
}

const unsent = new Set();

// Adds or removes a reason to ask for confirmation before the page is left, such as an unsent recording.
export function wouldLose(what, isThere) {
  if (isThere) unsent.add(what);
  else unsent.delete(what);
  if (unsent.size) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
}

function ask(event) {
  event.preventDefault();
  // For older browsers.
  event.returnValue = "";
}

// Formats a number with the digits of the page. Few browsers support Assamese; all support English with other digits.
export function number(value) {
  return value.toLocaleString(document.documentElement.lang === "as" ? "en-u-nu-beng" : "en");
}

// Returns an idempotency key.
export function onceOnly() {
  return crypto.randomUUID?.() ?? String(Math.random());
}

// Returns a function that shows a message in the form.
export function saying(form) {
  const message = form.querySelector("[data-message]");
  return (text) => {
    message.textContent = text;
    message.hidden = !text;
  };
}
