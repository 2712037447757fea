// Offers to install the site as an app, if the browser supports it.
export function begin(place) {
  let prompt = null;
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    prompt = event;
    place.hidden = false;
  });
  addEventListener("appinstalled", () => { place.hidden = true; });
  place.querySelector("button").addEventListener("click", async () => {
    place.hidden = true;
    await prompt?.prompt();
  });
}
