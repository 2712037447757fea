// Copies a link that is shown once, or a text. Without a script it is copied by hand.
export function begin(button) {
  const field = document.getElementById(button.dataset.copy);
  if (!navigator.clipboard || !field) return;
  const status = button.parentElement.querySelector("[data-copy-status]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
      status.textContent = button.dataset.copied;
    } catch {
      // The browser does not allow it: what is to be copied is chosen at least.
      if (field.select) field.select();
      else getSelection().selectAllChildren(field);
    }
  });
}
