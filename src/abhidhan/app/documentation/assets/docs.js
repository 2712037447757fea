// Shows an answer below its form. Without this file the form leads to the answer itself.
document.querySelectorAll(".addresses form").forEach(answerBelow);

function answerBelow(form) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const filled = [...new FormData(form)].filter(([, value]) => value !== "");
    const output = form.querySelector("output") ?? form.appendChild(document.createElement("output"));
    const asked = `${form.getAttribute("action")}?${new URLSearchParams(filled)}`;
    output.textContent = "…";
    try {
      const answer = await fetch(asked, { headers: { Accept: "application/json" } });
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
