import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../../server/src/main/program.ts";
import { claimsPage } from "../../test/vendors/claims.ts";
import { vendorTools } from "../../test/vendors/tools.ts";
import { commandsPage } from "./commands-page.ts";
import { configPage } from "./config-page.ts";
import { decisionsPage } from "./decisions-page.ts";
import { kitPage } from "./kit-page.ts";
import { layersPage } from "./layers-page.ts";
import { metricsPage } from "./metrics-page.ts";
import { operatorOperations, visitorOperations } from "../operator-openapi.ts";
import { operatorPage } from "./operator-page.ts";
import { runPage } from "./run-page.ts";
import { scalePage } from "./scale-page.ts";
import { statusesPage } from "./statuses-page.ts";
import { toolFacts, toolFile } from "./tool-facts.ts";
import { toolPage } from "./tool-page.ts";
import { readmeWithTools } from "./tools-table.ts";

export interface ReferencePage {
  readonly file: string;
  readonly text: () => string | Promise<string>;
}

const repository = join(import.meta.dirname, "../..");

/** The pages that are made from code, whole or in part. */
export const referencePages: readonly ReferencePage[] = [
  { file: "README.md", text: () => readmeWithTools(repository) },
  { file: "docs/import-states.md", text: statusesPage },
  { file: "docs/operators/configuration.md", text: configPage },
  { file: "docs/operators/metrics.md", text: metricsPage },
  { file: "docs/operators/commands.md", text: async () => commandsPage(await createProgram()) },
  {
    file: "docs/operators/operator-api.md",
    text: () => operatorPage(operatorOperations(), visitorOperations()),
  },
  { file: "docs/connectors/interface.md", text: kitPage },
  { file: "docs/connectors/vendors.md", text: () => claimsPage(vendorTools) },
  { file: "docs/architecture/layers.md", text: layersPage },
  { file: "docs/architecture/a-run.md", text: runPage },
  { file: "docs/operators/scale.md", text: scalePage },
  { file: "docs/adr/README.md", text: () => decisionsPage(repository) },
  ...toolFacts.map((facts) => ({ file: toolFile(facts), text: () => toolPage(facts) })),
];

/** Pages of tools that no connector makes any more. */
export const strayPages = (root: string, pages = referencePages): readonly string[] =>
  globSync("docs/tools/*.md", { cwd: root })
    .filter((page) => !pages.some(({ file }) => file === page))
    .toSorted();

/** The pages that are not what the code says now. */
export const outdatedPages = async (root: string, pages = referencePages): Promise<readonly string[]> => {
  const outdated: string[] = [];
  for (const { file, text } of pages) {
    const path = join(root, file);
    if (!existsSync(path) || readFileSync(path, "utf8") !== (await text())) outdated.push(file);
  }
  return outdated;
};
