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
let closeOpen = null; // closes the open keyboard, as there is room for one only

export function begin(input) {
  const names = document.body.dataset;
  const existing = input.parentElement.querySelector(":scope > .key");
  const tools = existing ? input.parentElement : wrap(input);
  const button = existing ?? keyboardButton(tools, names);
  let panel = null;
  const show = (open) => {
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    document.body.classList.toggle("with-keys", open);
    // The device's own keyboard would cover the other half of a phone's screen.
    input.inputMode = open && PHONE.matches ? "none" : "";
    closeOpen = open ? () => show(false) : null;
  };
  button.addEventListener("click", () => {
    panel ??= make(input, existing ? input.form : tools.closest(".field") ?? tools, names);
    button.setAttribute("aria-controls", panel.id);
    const open = panel.hidden;
    closeOpen?.();
    if (!open) return;
    show(true);
    if (PHONE.matches) tools.scrollIntoView({ block: "start" });
  });
}

function keyboardButton(tools, names) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "tool interface-label", textContent: "ক" });
  button.lang = "as";
  button.setAttribute("aria-label", names.nameKeyboard);
  button.title = names.nameKeyboard;
  button.setAttribute("aria-expanded", "false");
  tools.append(button);
  return button;
}

function wrap(input) {
  const tools = document.createElement("div");
  tools.className = "with-tools";
  const focused = document.activeElement === input;
  input.replaceWith(tools);
  tools.append(input);
  if (focused) input.focus();
  return tools;
}

function make(input, place, names) {
  const panel = document.createElement("div");
  panel.className = "keyboard";
  panel.id = `keyboard-${++count}`;
  panel.hidden = true;
  panel.setAttribute("role", "group");
  panel.setAttribute("aria-label", names.nameKeyboard);
  for (const row of ROWS) for (const letter of row.split(" ")) panel.append(key(letter, () => insert(input, letter)));
  const space = key(" ", () => insert(input, " "), names.nameSpace);
  const erase = key("", () => remove(input), names.nameErase);
  for (const each of [space, erase]) {
    each.className = "wide";
    each.lang = document.documentElement.lang;
  }
  // On a phone, the letters scroll; these two keys must always be visible.
  if (PHONE.matches) panel.prepend(space, erase);
  else panel.append(space, erase);
  // The field keeps its caret while letters are clicked.
  panel.addEventListener("pointerdown", (event) => event.preventDefault());
  place.append(panel); // within the field, so that suggestions open below the keys and do not cover them
  return panel;
}

function key(letter, act, name) {
  const button = Object.assign(document.createElement("button"), { type: "button" });
  button.lang = "as";
  button.textContent = name ?? (SIGN.test(letter) ? `◌${letter}` : letter);
  if (!name && button.textContent !== letter) button.setAttribute("aria-label", letter);
  button.addEventListener("click", act);
  return button;
}

function insert(input, letter) {
  input.setRangeText(letter, input.selectionStart, input.selectionEnd, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function remove(input) {
  const start = input.selectionStart;
  const from = start === input.selectionEnd ? start - ([...input.value.slice(0, start)].at(-1)?.length ?? 0) : start;
  input.setRangeText("", from, input.selectionEnd, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
