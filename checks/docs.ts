// `npm run docs:check`: code in the documentation compiles, data parses, commands exist, links and anchors resolve, every
// document is on the site, and pages that are made from code are up to date.
import { join } from "node:path";
import { createProgram } from "../server/src/main/program.ts";
import { checkDocumentation, documentationFiles, sitePageProblems } from "./documentation.ts";
import { outdatedPages } from "./reference/pages.ts";

const root = join(import.meta.dirname, "..");
const {
  files,
  blocks,
  links,
  problems: found,
} = checkDocumentation(root, documentationFiles(root), createProgram(), ["sdk/README.md"]);
const outdated = outdatedPages(root).map((file) => ({
  file,
  line: 1,
  message: "the code says something else now: npm run docs:generate",
}));
const problems = [...found, ...sitePageProblems(root), ...outdated];
for (const { file, line, message } of problems) console.error(`${file}:${line}: ${message}`);
console.log(`${files} files, ${blocks} blocks, ${links} links: ${problems.length} problems`);
process.exitCode = problems.length === 0 && files > 0 ? 0 : 1;
