// Stores the text typed into a long form for this tab, so that an expired session or a wrong click does not lose it.
const NOT_KEPT = ["hidden", "password", "file", "radio"];
export function begin(form) {
  const store = `abhidhan.form.${form.dataset.kept}`;
  const kept = JSON.parse(sessionStorage.getItem(store) ?? "{}");
  for (const element of form.elements) {
    if (!element.name || NOT_KEPT.includes(element.type) || element.value || !kept[element.name]) continue;
    element.value = kept[element.name];
    open(element);
    element.dispatchEvent(new Event("change", { bubbles: true })); // for what answers it: similar.js
  }
  const keep = () => {
    const filled = [...form.elements].filter((each) => each.name && !NOT_KEPT.includes(each.type));
    sessionStorage.setItem(store, JSON.stringify(Object.fromEntries(filled.map((each) => [each.name, each.value]))));
  };
  form.addEventListener("input", keep);
  // On a slow line somebody may have typed before this script came.
  if ([...form.elements].some((each) => "defaultValue" in each && each.value !== each.defaultValue)) keep();
  // A browser cannot show what is wrong with a field that is folded.
  form.addEventListener("invalid", (event) => open(event.target), true);
  // Once a page says that it was taken, main.js forgets it.
  form.addEventListener("submit", () => sessionStorage.setItem("abhidhan.sent", store));
}
function open(element) {
  const fold = element.closest("details");
  if (fold) fold.open = true;
}
