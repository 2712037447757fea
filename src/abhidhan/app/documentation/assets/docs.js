// Creates the form of a path when its line is opened, and shows the response below the form. Without this script, the
// form opens the response itself. Until then, each form is in a <noscript>, as a hundred take most of a second.
document.querySelectorAll(".addresses details").forEach((details) => {
  details.addEventListener("toggle", () => showForm(details));
  if (details.open) showForm(details); // on a slow device it may have been opened before this script was loaded
});

function showForm(details) {
  const placeholder = details.querySelector("noscript");
  if (!placeholder) return;
  const fragment = document.createElement("template");
  fragment.innerHTML = placeholder.textContent;
  showResponseBelow(fragment.content.querySelector("form"));
  placeholder.replaceWith(fragment.content);
}

// Opens the path that a link leads to: browsers open the ancestors of a link's target, but not the target itself.
addEventListener("hashchange", openTarget);
openTarget();

function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.localName === "details") target.open = true;
}

function showResponseBelow(form) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const filled = [...new FormData(form)].filter(([, value]) => value !== "");
    const output = form.querySelector("output") ?? form.appendChild(document.createElement("output"));
    const requestURL = `${form.getAttribute("action")}?${new URLSearchParams(filled)}`;
    output.textContent = "…";
    try {
      const answer = await fetch(requestURL, { headers: { Accept: "application/json" } });
      show(output, answer, await answer.text());
    } catch {
      output.textContent = form.closest(".addresses").dataset.unreachable;
    }
  });
}

function show(output, answer, text) {
  const address = document.createElement("a");
  const url = new URL(answer.url);
  address.href = answer.url;
  address.textContent = decodeURI(url.pathname + url.search);
  const status = document.createElement("p");
  status.append(`${answer.status} · `, address);
  const body = document.createElement("pre");
  body.tabIndex = 0;
  body.textContent = pretty(text);
  output.replaceChildren(status, body);
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
