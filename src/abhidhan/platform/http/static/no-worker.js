// Replaces the service worker where offline use is turned off: it deletes all caches and unregisters itself.
addEventListener("install", (event) => event.waitUntil(skipWaiting()));
addEventListener("activate", (event) => event.waitUntil(uninstall()));

async function uninstall() {
  const names = (await caches.keys()).filter((name) => name.startsWith("abhidhan-"));
  await Promise.all(names.map((name) => caches.delete(name)));
  await registration.unregister();
}
