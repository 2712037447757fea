// Copies a link that is shown once. Without a script it is copied by hand.
export function begin(button) {
  if (!navigator.clipboard) return;
  const field = document.getElementById(button.dataset.copy);
  const status = button.parentElement.querySelector("[data-copy-status]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      status.textContent = button.dataset.copied;
    } catch {
      // The browser does not allow it: what is to be copied is chosen at least.
      field.select();
    }
  });
}
