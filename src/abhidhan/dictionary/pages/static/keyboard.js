// An on-screen Assamese keyboard that opens below a field.
const ROWS = [
  "অ আ ই ঈ উ ঊ ঋ এ ঐ ও ঔ",
  "া ি ী ু ূ ৃ ে ৈ ো ৌ ্ ং ঃ ঁ ’",
  "ক খ গ ঘ ঙ চ ছ জ ঝ ঞ ট ঠ ড ঢ ণ ত থ দ ধ ন প ফ ব ভ ম য ৰ ল ৱ শ ষ স হ ক্ষ ড় ঢ় য় ৎ",
  "্ৰ ্য জ্ঞ ০ ১ ২ ৩ ৪ ৫ ৬ ৭ ৮ ৯ ।",
];
const SIGN = /^[\u09bc-\u09cd\u0981-\u0983]/; // signs that are written on a letter
const PHONE = matchMedia("(max-width: 40rem)"); // the keyboard is at the bottom of the screen (style.css)
let count = 0;
let closeCurrent = null; // closes the open keyboard, as there is room for one only

export function init(input) {
  const texts = document.body.dataset;
  const existingButton = input.parentElement.querySelector(":scope > .key");
  const tools = existingButton ? input.parentElement : wrap(input);
  const button = existingButton ?? keyboardButton(tools, texts);
  let panel = null;
  const show = (open) => {
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    document.body.classList.toggle("with-keys", open);
    // The device's own keyboard would cover the other half of a phone's screen.
    input.inputMode = open && PHONE.matches ? "none" : "";
    closeCurrent = open ? () => show(false) : null;
  };
  button.addEventListener("click", () => {
    panel ??= createPanel(input, existingButton ? input.form : tools.closest(".field") ?? tools, texts);
    button.setAttribute("aria-controls", panel.id);
    const open = panel.hidden;
    closeCurrent?.();
    if (!open) return;
    show(true);
    if (PHONE.matches) tools.scrollIntoView({ block: "start" });
  });
}

function keyboardButton(tools, texts) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "tool interface-label", textContent: "ক" });
  button.lang = "as";
  button.setAttribute("aria-label", texts.nameKeyboard);
  button.title = texts.nameKeyboard;
  button.setAttribute("aria-expanded", "false");
  tools.append(button);
  return button;
}

function wrap(input) {
  const tools = document.createElement("div");
  tools.className = "with-tools";
  const hadFocus = document.activeElement === input;
  input.replaceWith(tools);
  tools.append(input);
  if (hadFocus) input.focus();
  return tools;
}

function createPanel(input, container, texts) {
  const panel = document.createElement("div");
  panel.className = "keyboard";
  panel.id = `keyboard-${++count}`;
  panel.hidden = true;
  panel.setAttribute("role", "group");
  panel.setAttribute("aria-label", texts.nameKeyboard);
  for (const row of ROWS) for (const letter of row.split(" ")) panel.append(createKey(letter, () => insertText(input, letter)));
  const space = createKey(" ", () => insertText(input, " "), texts.nameSpace);
  const erase = createKey("", () => deleteBefore(input), texts.nameErase);
  for (const button of [space, erase]) {
    button.className = "wide";
    button.lang = document.documentElement.lang;
  }
  // On a phone, the letters scroll; these two keys must always be visible.
  if (PHONE.matches) panel.prepend(space, erase);
  else panel.append(space, erase);
  // The field keeps its caret while letters are clicked.
  panel.addEventListener("pointerdown", (event) => event.preventDefault());
  container.append(panel); // within the field, so that suggestions open below the keys and do not cover them
  return panel;
}

function createKey(letter, onClick, name) {
  const button = Object.assign(document.createElement("button"), { type: "button" });
  button.lang = "as";
  button.textContent = name ?? (SIGN.test(letter) ? `◌${letter}` : letter);
  if (!name && button.textContent !== letter) button.setAttribute("aria-label", letter);
  button.addEventListener("click", onClick);
  return button;
}

function insertText(input, letter) {
  input.setRangeText(letter, input.selectionStart, input.selectionEnd, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function deleteBefore(input) {
  const start = input.selectionStart;
  const from = start === input.selectionEnd ? start - ([...input.value.slice(0, start)].at(-1)?.length ?? 0) : start;
  input.setRangeText("", from, input.selectionEnd, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
