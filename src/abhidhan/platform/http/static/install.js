// Offers to install the site as an app, if the browser supports it.
export function init(container) {
  let prompt = null;
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    prompt = event;
    container.hidden = false;
  });
  addEventListener("appinstalled", () => { container.hidden = true; });
  container.querySelector("button").addEventListener("click", async () => {
    container.hidden = true;
    await prompt?.prompt();
  });
}
