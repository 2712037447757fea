// Stores the text typed into a long form for this tab, so that an expired session or a wrong click does not lose it.
const EXCLUDED_TYPES = ["hidden", "password", "file", "radio"];
export function init(form) {
  const key = `abhidhan.form.${form.dataset.draft}`;
  const draft = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  for (const element of form.elements) {
    if (!element.name || EXCLUDED_TYPES.includes(element.type) || element.value || !draft[element.name]) continue;
    element.value = draft[element.name];
    openDetails(element);
    element.dispatchEvent(new Event("change", { bubbles: true })); // for similar.js
  }
  const saveDraft = () => {
    const filled = [...form.elements].filter((field) => field.name && !EXCLUDED_TYPES.includes(field.type));
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(filled.map((field) => [field.name, field.value]))));
  };
  form.addEventListener("input", saveDraft);
  // On a slow connection, text may have been typed before this script was loaded.
  if ([...form.elements].some((field) => "defaultValue" in field && field.value !== field.defaultValue)) saveDraft();
  // Browsers cannot show an error at a collapsed field.
  form.addEventListener("invalid", (event) => openDetails(event.target), true);
  // When a page confirms the submission, main.js deletes the draft.
  form.addEventListener("submit", () => sessionStorage.setItem("abhidhan.sent", key));
}
function openDetails(element) {
  const details = element.closest("details");
  if (details) details.open = true;
}
