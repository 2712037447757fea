// Starts, shows and stops the synchronisation of saved lists with the account, on the page of saved lists.
import { canKeep } from "./saved-lists.js";
import { readKept, stop, sync } from "./list-sync.js";

export function begin(place) {
  if (!canKeep()) return;
  const texts = place.dataset;
  const message = place.querySelector("[role=status]");
  const [start, here, everywhere] = ["start", "here", "everywhere"].map((name) => place.querySelector(`[data-${name}]`));
  const draw = (text = "") => {
    const kept = readKept();
    start.hidden = !texts.person || Boolean(kept && kept.owner === texts.person);
    here.hidden = !kept;
    everywhere.hidden = !kept || kept.owner !== texts.person;
    place.querySelector("[data-sign-in]").hidden = Boolean(texts.person);
    message.textContent = text || describeState(kept, texts);
  };
  const run = async (job, done) => {
    for (const button of [start, here, everywhere]) button.disabled = true;
    try {
      draw(done(await job()));
    } catch {
      draw(texts.offline);
    }
    for (const button of [start, here, everywhere]) button.disabled = false;
    if ([start, here, everywhere].every((button) => button !== document.activeElement)) message.focus();
  };
  start.addEventListener("click", () => run(() => sync({ start: true }), (how) => describeResult(how, texts)));
  here.addEventListener("click", () => run(() => stop({ everywhere: false }), () => texts.stopped));
  everywhere.addEventListener("click", () => run(() => stop({ everywhere: true }), () => texts.deleted));
  place.hidden = false;
  draw();
  if (readKept()) sync().then((how) => draw(describeResult(how, texts)), () => draw(texts.offline));
}

const describeState = (kept, { with: sentence, off }) => (kept ? sentence.replace("{}", kept.owner) : off);

function describeResult(how, texts) {
  if (how.state === "kept") return "";
  if (how.state === "full") return how.detail;
  return (texts[`is${how.state[0].toUpperCase()}${how.state.slice(1)}`] ?? "").replace("{}", how.owner ?? "");
}
