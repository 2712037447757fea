// Tells of a page that the service worker had kept when it was seen, and why it is shown.
export function begin(root) {
  if (location.pathname === "/offline") return; // It is the same with a network.
  const notice = document.querySelector("[data-seen-notice]");
  const at = new Date(Number(root.dataset.seen));
  notice.textContent = `${notice.dataset[root.dataset.why]} ${notice.dataset.at.replace("{}", moment(at, root.lang))}`;
  notice.hidden = false;
}

// Few browsers have the months in Assamese.
function moment(at, language) {
  if (language !== "as") return at.toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
  const numbers = [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes()].map((each) => String(each).padStart(2, "0"));
  const [month, day, hour, minute] = numbers;
  return `${at.getFullYear()}-${month}-${day} ${hour}:${minute}`.replace(/\d/g, (digit) => "০১২৩৪৫৬৭৮৯"[digit]);
}
