// `npm run vendor:claims` prints what the stand-ins assume of their vendors; the last line is JSON.
import { summarizeClaims } from "./claims.ts";
import { vendorTools } from "./tools.ts";

const summaries = vendorTools.map(summarizeClaims);
for (const { tool, shown, assumed, undescribed } of summaries) {
  console.log(
    `${tool}: ${shown} claims shown by a source, ${assumed.length} assumed, ${undescribed.length} operations undescribed`,
  );
  for (const { says } of assumed) console.log(`  assumed, not shown by any source: ${says}`);
  for (const operation of undescribed) console.log(`  undescribed: ${operation}`);
}
console.log(
  JSON.stringify(
    Object.fromEntries(
      summaries.map(({ tool, shown, assumed, undescribed }) => [
        tool,
        { shown, assumed: assumed.length, undescribed: undescribed.length },
      ]),
    ),
  ),
);
