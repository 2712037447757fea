// Stands at the address of the service worker where this site is not to work offline: it forgets everything, and goes.
addEventListener("install", (event) => event.waitUntil(skipWaiting()));
addEventListener("activate", (event) => event.waitUntil(end()));

async function end() {
  const own = (await caches.keys()).filter((name) => name.startsWith("abhidhan-"));
  await Promise.all(own.map((name) => caches.delete(name)));
  await registration.unregister();
}
