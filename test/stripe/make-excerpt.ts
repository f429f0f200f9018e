// `node test/stripe/make-excerpt.ts [the vendor's OpenAPI file]` regenerates excerpt.openapi.json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSpecExcerpt } from "./spec-excerpt.ts";
import { vendorFile } from "./vendor-file.ts";

const text = readFileSync(process.argv[2] ?? vendorFile, "utf8");
writeFileSync(
  join(import.meta.dirname, "excerpt.openapi.json"),
  `${JSON.stringify(makeSpecExcerpt(text))}\n`,
);
