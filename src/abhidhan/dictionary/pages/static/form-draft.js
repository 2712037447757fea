// Stores the text typed into a long form for this tab, so that an expired session or a wrong click does not lose it.
const EXCLUDED_TYPES = ["hidden", "password", "file", "radio"];
export function begin(form) {
  const store = `abhidhan.form.${form.dataset.kept}`;
  const draft = JSON.parse(sessionStorage.getItem(store) ?? "{}");
  for (const element of form.elements) {
    if (!element.name || EXCLUDED_TYPES.includes(element.type) || element.value || !draft[element.name]) continue;
    element.value = draft[element.name];
    open(element);
    element.dispatchEvent(new Event("change", { bubbles: true })); // for similar.js
  }
  const keep = () => {
    const filled = [...form.elements].filter((each) => each.name && !EXCLUDED_TYPES.includes(each.type));
    sessionStorage.setItem(store, JSON.stringify(Object.fromEntries(filled.map((each) => [each.name, each.value]))));
  };
  form.addEventListener("input", keep);
  // On a slow connection, text may have been typed before this script was loaded.
  if ([...form.elements].some((each) => "defaultValue" in each && each.value !== each.defaultValue)) keep();
  // Browsers cannot show an error at a collapsed field.
  form.addEventListener("invalid", (event) => open(event.target), true);
  // When a page confirms the submission, main.js deletes the draft.
  form.addEventListener("submit", () => sessionStorage.setItem("abhidhan.sent", store));
}
function open(element) {
  const fold = element.closest("details");
  if (fold) fold.open = true;
}
