import { text as readAll } from "node:stream/consumers";
import { checkDestination } from "@portage/connectors/destination-protocol/check";
import type { Command } from "commander";
import { createOutbound } from "../../platform/outbound/index.ts";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { printable } from "./table.ts";

const marks = { passed: "ok      ", skipped: "skipped ", failed: "FAILED  ", blocked: "blocked " } as const;

/** A skipped check proves nothing, so it counts apart from the passed ones. */
const countVerdicts = (results: readonly { readonly verdict: keyof typeof marks }[]) => {
  const count = (wanted: keyof typeof marks) => results.filter(({ verdict }) => verdict === wanted).length;
  return {
    passed: count("passed"),
    skipped: count("skipped"),
    failed: count("failed"),
    blocked: count("blocked"),
  };
};

export const destinationCommands = (destination: Command, operator: Operator, fail: () => void): void => {
  destination
    .command("check")
    .description("Run the protocol's conformance checks; reads the shared secret from stdin")
    .argument("<url>", "Base URL of the tool: the part before /describe")
    .addHelpText(
      "after",
      "\nThe checks write some hundred records to the account and remove them again.\nExample: portage destination check https://desk.example/portage < secret-file",
    )
    .action(async (url: string) => {
      const secret = (await readAll(operator.needs.stdin())).trim();
      if (secret === "")
        throw new CommandError("no_secret", "stdin has no secret.", {
          fix: `Run: portage destination check ${url} < secret-file`,
        });
      const transport = createOutbound({ allow: operator.config("OUTBOUND_ALLOW").OUTBOUND_ALLOW });
      try {
        const results = await checkDestination({ url, secret, transport });
        const ok = results.every(({ verdict }) => verdict === "passed" || verdict === "skipped");
        const checks = results.map(({ name, shows, verdict, why, note = null }) => ({
          name,
          shows,
          verdict,
          why,
          note,
        }));
        const counts = countVerdicts(results);
        operator.answer({ ok, counts, checks }, () =>
          [
            ...checks.flatMap(({ name, shows, verdict, why, note }) => [
              `${marks[verdict]} ${name}: ${shows}`,
              ...[why, note].filter((each) => each !== null).map((each) => `          ${printable(each)}`),
            ]),
            "",
            Object.entries(counts)
              .map(([verdict, count]) => `${count} ${verdict}`)
              .join(", "),
          ].join("\n"),
        );
        if (!ok) fail();
      } finally {
        await transport.close();
      }
    });
};
