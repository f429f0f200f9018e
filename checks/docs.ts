// `npm run docs:check`: code in the documentation compiles, data parses, commands exist, links and anchors resolve, and every
// document is on the site.
import { join } from "node:path";
import { createProgram } from "../server/src/main/program.ts";
import { checkDocumentation, documentationFiles, sitePageProblems } from "./documentation.ts";

const root = join(import.meta.dirname, "..");
const {
  files,
  blocks,
  links,
  problems: found,
} = checkDocumentation(root, documentationFiles(root), createProgram(), ["sdk/README.md"]);
const problems = [...found, ...sitePageProblems(root)];
for (const { file, line, message } of problems) console.error(`${file}:${line}: ${message}`);
console.log(`${files} files, ${blocks} blocks, ${links} links: ${problems.length} problems`);
process.exitCode = problems.length === 0 && files > 0 ? 0 : 1;
