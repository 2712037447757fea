// Copies a one-time link or a text to the clipboard. Without this script, users copy it by hand.
export function init(button) {
  const field = document.getElementById(button.dataset.copy);
  if (!navigator.clipboard || !field) return;
  const status = button.parentElement.querySelector("[data-copy-status]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
      status.textContent = button.dataset.copied;
    } catch {
      // The browser denies access to the clipboard: select the text instead.
      if (field.select) field.select();
      else getSelection().selectAllChildren(field);
    }
  });
}
