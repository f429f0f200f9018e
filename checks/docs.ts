// `npm run docs:check`: code in the documentation compiles, data parses, commands exist, links and anchors resolve, every
// document is on the site, pages that are made from code are up to date, and every kept proof is of a commit of this history.
import { join } from "node:path";
import { createProgram } from "../server/src/main/program.ts";
import { checkDocumentation, documentationFiles, sitePageProblems } from "./documentation.ts";
import { historyOf, keptProofProblems, scriptsOf } from "./kept-proofs.ts";
import { outdatedPages, strayPages } from "./reference/pages.ts";

const root = join(import.meta.dirname, "..");
const {
  files,
  blocks,
  links,
  problems: found,
} = checkDocumentation(root, documentationFiles(root), await createProgram(), ["sdk/README.md"]);
const outdated = (await outdatedPages(root)).map((file) => ({
  file,
  line: 1,
  message: "the code says something else now: npm run generate",
}));
const stray = strayPages(root).map((file) => ({
  file,
  line: 1,
  message: "no connector makes it: remove it",
}));
const kept = keptProofProblems(root, scriptsOf(root), historyOf(root)).problems.map((problem) => ({
  ...problem,
  line: 1,
}));
const problems = [...found, ...sitePageProblems(root), ...outdated, ...stray, ...kept];
for (const { file, line, message } of problems) console.error(`${file}:${line}: ${message}`);
console.log(`${files} files, ${blocks} blocks, ${links} links: ${problems.length} problems`);
process.exitCode = problems.length === 0 && files > 0 ? 0 : 1;
