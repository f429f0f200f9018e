import { Command } from "commander";
import serverPackage from "../../package.json" with { type: "json" };
import type { Operator, ProgramNeeds } from "./commands/operator.ts";

/** A command of `portage`, with its subcommands if it has any. */
interface TopCommand {
  readonly name: string;
  readonly description: string;
  /** Loads the function that adds its options, commands and actions. */
  load(): Promise<(command: Command, operator: Operator, fail: () => void) => void>;
}

const topCommands: readonly TopCommand[] = [
  {
    name: "partner",
    description: "Manage partners (applications that use the API)",
    load: async () => (await import("./commands/partner.ts")).partnerCommands,
  },
  {
    name: "token",
    description: "Manage API tokens of partners",
    load: async () => (await import("./commands/token.ts")).tokenCommands,
  },
  {
    name: "staff",
    description: "Manage the people who may use the operator API",
    load: async () => (await import("./commands/staff.ts")).staffCommands,
  },
  {
    name: "webhook",
    description: "Manage webhook endpoints",
    load: async () => (await import("./commands/webhook.ts")).webhookCommands,
  },
  {
    name: "tool",
    description: "Manage source and destination tools",
    load: async () => (await import("./commands/tool.ts")).toolCommands,
  },
  {
    name: "destination",
    description: "Check partners' tools that implement the destination protocol",
    load: async () => (await import("./commands/destination.ts")).destinationCommands,
  },
  {
    name: "import",
    description: "Manage imports of all partners",
    load: async () => {
      const { importCommands } = await import("./commands/import.ts");
      const { importRunCommands } = await import("./commands/import-runs.ts");
      return (imports, operator) => {
        importCommands(imports, operator);
        importRunCommands(imports, operator);
      };
    },
  },
  {
    name: "login",
    description: "Sign in to the operator API at PORTAGE_OPERATOR_URL with the staff token on stdin",
    load: async () => (await import("./commands/login.ts")).loginCommand,
  },
  {
    name: "logout",
    description: "Forget the staff token of PORTAGE_OPERATOR_URL on this machine",
    load: async () => (await import("./commands/login.ts")).logoutCommand,
  },
  {
    name: "billing",
    description: "Manage prices, payments, sponsors and the ledger",
    load: async () => (await import("./commands/billing.ts")).billingCommands,
  },
  {
    name: "retention",
    description: "Manage data retention",
    load: async () => (await import("./commands/retention.ts")).retentionCommands,
  },
  {
    name: "keys",
    description: "Manage encryption keys",
    load: async () => (await import("./commands/keys.ts")).keysCommands,
  },
  {
    name: "restate",
    description: "Manage the identity of Restate",
    load: async () => (await import("./commands/restate.ts")).restateCommands,
  },
  {
    name: "migrate",
    description: "Migrate the database to this release; forward only, safe to repeat or run concurrently",
    load: async () => (await import("./commands/migrate.ts")).migrateCommand,
  },
  {
    name: "recover",
    description:
      "Declare that PostgreSQL lost commits, if workers can't notice it, as after a disk snapshot: runs look records up first",
    load: async () => (await import("./commands/recover.ts")).recoverCommand,
  },
  {
    name: "doctor",
    description: "Check the installation and explain how to fix problems",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand,
  },
];

const processNeeds: ProgramNeeds = {
  env: () => process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  stdin: () => process.stdin,
  tools: async (packages) => (await import("./tools.ts")).createTools(packages),
  fetch: (...request) => fetch(...request),
};

interface ProgramOptions {
  readonly needs?: ProgramNeeds;
  /** The command line, which loads only the commands that it names. Omitted: all commands are loaded. */
  readonly words?: readonly string[];
  /** Called when a command completes but found problems: the exit code is 1. */
  readonly fail?: () => void;
}

/**
 * Builds the `portage` program. It reads and opens nothing until a command runs. A command's modules (the database, the
 * connectors) take seconds of CPU to load, which the version, the help and other commands don't pay.
 */
export const createProgram = async ({
  needs = processNeeds,
  words = topCommands.map(({ name }) => name),
  fail = () => {},
}: ProgramOptions = {}): Promise<Command> => {
  const program = new Command("portage")
    .description("Operate a Portage installation")
    .version(serverPackage.version)
    .option("--json", "Print one JSON value to stdout, for scripts")
    .exitOverride()
    .configureOutput({ writeOut: needs.out, writeErr: needs.err })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(run with --help for usage)")
    .addHelpText("after", "\nExit codes: 0 success, 1 failure or problems found, 2 invalid command line.");
  for (const { name, description, load } of topCommands) {
    const command = program.command(name).description(description);
    if (!words.includes(name)) continue;
    const { createOperator } = await import("./commands/operator.ts");
    const operator = createOperator(needs, () => program.opts<{ json?: true }>().json === true);
    (await load())(command, operator, fail);
  }
  return program;
};

export { processNeeds };
