// `npm run docs:check`: code in the documentation compiles, data parses, and commands exist.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkDocumentation, documentationFiles } from "./documentation.ts";
import type { CommandLike } from "./shell-block.ts";

const root = join(import.meta.dirname, "..");
const programFile = join(root, "server/src/main/program.ts");

const loadProgram = async (): Promise<CommandLike | undefined> => {
  if (!existsSync(programFile)) {
    console.log(
      "note: server/src/main/program.ts is not there, so the portage commands shown are not checked",
    );
    return undefined;
  }
  const { createProgram } = (await import(programFile)) as { createProgram: () => Promise<CommandLike> };
  return createProgram();
};

const { files, blocks, links, problems } = checkDocumentation(
  root,
  documentationFiles(root),
  await loadProgram(),
);
for (const { file, line, message } of problems) console.error(`${file}:${line}: ${message}`);
console.log(`${files} files, ${blocks} blocks, ${links} links: ${problems.length} problems`);
process.exitCode = problems.length === 0 && files > 0 ? 0 : 1;
