// `npm run vendor:excerpt -- TOOL PATH_TO_VENDOR_FILE` makes the excerpt of a tool again from the vendor's OpenAPI file.
import { readFileSync, writeFileSync } from "node:fs";
import { stripePlan } from "../stripe/spec.ts";
import { excerptFile } from "./kit/excerpt-file.ts";
import { type ExcerptPlan, makeSpecExcerpt } from "./kit/spec-excerpt.ts";
import { vendorTools } from "./tools.ts";

const plans: Readonly<Record<string, ExcerptPlan>> = {
  stripe: stripePlan,
  ...Object.fromEntries(vendorTools.map(({ tool, plan }) => [tool, plan])),
};

const [tool = "", path] = process.argv.slice(2);
const plan = plans[tool];
if (!plan || path === undefined) {
  console.error(`Usage: npm run vendor:excerpt -- ${Object.keys(plans).join("|")} PATH_TO_VENDOR_FILE`);
  process.exitCode = 2;
} else {
  const excerpt = makeSpecExcerpt(readFileSync(path, "utf8"), plan);
  writeFileSync(excerptFile(tool), `${JSON.stringify(excerpt)}\n`);
  console.log(
    `${excerptFile(tool)}: ${Object.keys(excerpt.operations).length} operations, source ${excerpt.sha256}`,
  );
}
