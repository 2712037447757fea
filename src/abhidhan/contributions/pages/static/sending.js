// Sends a form with a file in the background and tells how far that is. What fails leaves the form as it was: the same
// button sends it again, and the server knows by the key what it has already.
const STALLED = 30_000; // ms in which nothing is sent
const UNANSWERED = 90_000; // ms for the answer, once all is sent: others may be before

// Calls `arrived` with the answer, whatever it is. What never arrives is told, with what to do.
export function send(form, { key, arrived, say }) {
  const bar = form.querySelector("progress");
  const button = form.querySelector("button:not([type=button])");
  // A button that is disabled would lose the focus.
  if (button.getAttribute("aria-disabled") === "true") return;
  const sending = new XMLHttpRequest();
  let why = "lost";
  let patience;
  const giveUp = (reason) => {
    why = reason;
    sending.abort();
  };
  const wait = (time) => {
    clearTimeout(patience);
    patience = setTimeout(giveUp, time, "stalled");
  };
  const offline = () => giveUp("offline");
  sending.open("POST", form.action);
  if (key) sending.setRequestHeader("Idempotency-Key", key);
  sending.upload.onprogress = ({ loaded, total }) => {
    bar.value = (100 * loaded) / total;
    wait(STALLED);
  };
  sending.upload.onload = () => wait(UNANSWERED);
  sending.onprogress = () => wait(STALLED);
  sending.onloadend = () => {
    clearTimeout(patience);
    removeEventListener("offline", offline);
    wouldLose(sending, false);
    bar.hidden = true;
    bar.value = 0;
    button.removeAttribute("aria-disabled");
  };
  sending.onerror = sending.onabort = () => {
    button.textContent = form.dataset.resend;
    say(form.dataset[navigator.onLine ? why : "offline"]);
  };
  sending.onload = () => {
    wouldLose(sending, false);
    arrived(sending);
  };
  addEventListener("offline", offline);
  wouldLose(sending, true);
  bar.hidden = false;
  button.setAttribute("aria-disabled", "true");
  wait(STALLED);
  sending.send(new FormData(form));
}

// Sends a form whose file leads to another page when it is taken; any other answer is told, in the language of the page.
export function sendAway(form, { key, say, sent = () => {} }) {
  say("");
  send(form, {
    key,
    say,
    arrived: (sending) => {
      if (leadsAway(sending, form)) {
        sent();
        location.href = sending.responseURL;
      } else say(sending.status === 401 ? form.dataset.signedOut : toldBy(sending));
    },
  });
}

export function leadsAway({ responseURL }, form) {
  return responseURL && new URL(responseURL).pathname !== new URL(form.action).pathname;
}

// What a page says that came instead: the form with what is wrong, an error, or a server in between.
export function toldBy({ responseText, status }) {
  const answered = new DOMParser().parseFromString(responseText, "text/html");
  const texts = (selector) => [...answered.querySelectorAll(selector)].map((each) => each.textContent.trim()).join(" ");
  return texts(".problems li") || texts("[role=alert]:not([hidden])") || texts("h1") || texts("title") || `${status}`;
}

const unsent = new Set();

// Asks before the page is left while there is something on it that nobody has but the page.
export function wouldLose(what, isThere) {
  if (isThere) unsent.add(what);
  else unsent.delete(what);
  if (unsent.size) addEventListener("beforeunload", ask);
  else removeEventListener("beforeunload", ask);
}

function ask(event) {
  event.preventDefault();
  // Of older browsers.
  event.returnValue = "";
}

// Writes a number in the digits of the page. Few browsers know Assamese; all know English with other digits.
export function number(value) {
  return value.toLocaleString(document.documentElement.lang === "as" ? "en-u-nu-beng" : "en");
}

// A key by which the server knows a form that is sent again.
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
