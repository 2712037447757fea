// Checks an OpenAPI document by Redocly's recommended rules, as `redocly lint` does, and prints its errors.
import { lint, loadConfig } from "@redocly/openapi-core";

const config = await loadConfig({ customExtends: ["recommended"] });
const problems = await lint({ ref: process.argv[2], config });
for (const { severity, ruleId, message, location } of problems) {
  if (severity === "error") console.log(ruleId, message, location[0]?.pointer);
}
