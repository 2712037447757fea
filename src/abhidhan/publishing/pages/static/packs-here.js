// Lists the dictionaries on this device in the settings.
import { canKeep, listPacks } from "./pack-store.js";

export async function begin(place) {
  const held = canKeep() ? (await listPacks()).filter(({ chunks }) => chunks.length) : [];
  const names = JSON.parse(document.querySelector("[data-languages]")?.dataset.languages || "{}");
  const named = ({ code, name }) => names[code] ?? name;
  if (held.length) place.textContent = place.dataset.held.replace("{}", held.map(({ source, target }) => `${named(source)} → ${named(target)}`).join(", "));
}
