// Tells of a page that the service worker had kept when it was seen, and why it is shown.
export function begin(root) {
  const notice = document.querySelector("[data-seen-notice]");
  const date = new Date(Number(root.dataset.seen)).toLocaleString(root.lang, { dateStyle: "long", timeStyle: "short" });
  notice.textContent = `${notice.dataset[root.dataset.why]} ${notice.dataset.at.replace("{}", date)}`;
  notice.hidden = false;
}
