import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../../server/src/main/program.ts";
import { commandsPage } from "./commands-page.ts";
import { configPage } from "./config-page.ts";
import { kitPage } from "./kit-page.ts";
import { layersPage } from "./layers-page.ts";
import { runPage } from "./run-page.ts";
import { scalePage } from "./scale-page.ts";

export interface ReferencePage {
  readonly file: string;
  readonly text: () => string;
}

/** The pages that are made from code. `npm run diagram` makes docs/import-states.md. */
export const referencePages: readonly ReferencePage[] = [
  { file: "docs/operators/configuration.md", text: configPage },
  { file: "docs/operators/commands.md", text: () => commandsPage(createProgram()) },
  { file: "docs/connectors/interface.md", text: kitPage },
  { file: "docs/architecture/layers.md", text: layersPage },
  { file: "docs/architecture/a-run.md", text: runPage },
  { file: "docs/operators/scale.md", text: scalePage },
];

/** The pages that are not what the code says now. */
export const outdatedPages = (root: string, pages = referencePages): readonly string[] =>
  pages
    .filter(({ file, text }) => {
      const path = join(root, file);
      return !existsSync(path) || readFileSync(path, "utf8") !== text();
    })
    .map(({ file }) => file);
