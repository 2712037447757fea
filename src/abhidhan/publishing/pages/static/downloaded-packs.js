// Lists the dictionaries on this device in the settings.
import { canKeep, listPacks } from "./pack-store.js";

export async function begin(place) {
  const packs = canKeep() ? (await listPacks()).filter(({ chunks }) => chunks.length) : [];
  const names = JSON.parse(document.querySelector("[data-languages]")?.dataset.languages || "{}");
  const languageName = ({ code, name }) => names[code] ?? name;
  if (packs.length) place.textContent = place.dataset.held.replace("{}", packs.map(({ source, target }) => `${languageName(source)} → ${languageName(target)}`).join(", "));
}
