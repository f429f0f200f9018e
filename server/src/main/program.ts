import { Command } from "commander";
import serverPackage from "../../package.json" with { type: "json" };
import { billingCommands } from "./commands/billing.ts";
import { destinationCommands } from "./commands/destination.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { importCommands } from "./commands/import.ts";
import { keysCommands } from "./commands/keys.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { createOperator, type ProgramNeeds } from "./commands/operator.ts";
import { partnerCommands } from "./commands/partner.ts";
import { recoverCommand } from "./commands/recover.ts";
import { restateCommands } from "./commands/restate.ts";
import { retentionCommands } from "./commands/retention.ts";
import { tokenCommands } from "./commands/token.ts";
import { toolCommands } from "./commands/tool.ts";
import { webhookCommands } from "./commands/webhook.ts";
import { createTools } from "./tools.ts";

const processNeeds: ProgramNeeds = {
  env: () => process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  stdin: () => process.stdin,
  tools: (packages) => createTools(packages),
  fetch: (...request) => fetch(...request),
};

/** Builds the `portage` program. It reads and opens nothing until a command runs. */
export const createProgram = (
  needs: ProgramNeeds = processNeeds,
  /** Called when a command completes but found problems: the exit code is 1. */
  fail: () => void = () => {},
): Command => {
  const program = new Command("portage")
    .description("Operate a Portage installation")
    .version(serverPackage.version)
    .option("--json", "Print one JSON value to stdout, for scripts")
    .exitOverride()
    .configureOutput({ writeOut: needs.out, writeErr: needs.err })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(run with --help for usage)")
    .addHelpText("after", "\nExit codes: 0 success, 1 failure or problems found, 2 invalid command line.");
  const operator = createOperator(needs, () => program.opts<{ json?: true }>().json === true);
  partnerCommands(program, operator);
  tokenCommands(program, operator);
  webhookCommands(program, operator);
  toolCommands(program, operator);
  destinationCommands(program, operator, fail);
  importCommands(program, operator);
  billingCommands(program, operator);
  retentionCommands(program, operator);
  keysCommands(program, operator, fail);
  restateCommands(program, operator);
  migrateCommand(program, operator);
  recoverCommand(program, operator);
  doctorCommand(program, operator, fail);
  return program;
};

export { processNeeds };
