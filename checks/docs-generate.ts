// `npm run docs:generate` writes the pages that are made from code; `npm run docs:check` fails when one is out of date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { referencePages } from "./reference/pages.ts";

for (const { file, text } of referencePages) {
  writeFileSync(join(import.meta.dirname, "..", file), await text());
  console.log(file);
}
