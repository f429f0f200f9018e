import type { Command } from "commander";
import { examine } from "../doctor/examine.ts";
import type { Operator } from "./operator.ts";
import { printable } from "./table.ts";

const marks = { ok: "ok      ", warning: "warning ", problem: "PROBLEM " } as const;

export const doctorCommand = (command: Command, operator: Operator, fail: () => void): void => {
  command.action(async () => {
    const findings = await examine(operator.needs);
    const problems = findings.filter(({ state }) => state === "problem").length;
    operator.answer({ ok: problems === 0, findings }, () =>
      findings
        .flatMap(({ part, state, message, fix }) => [
          `${marks[state]} ${part}: ${printable(message)}`,
          ...(fix === null ? [] : [`          ${fix}`]),
        ])
        .join("\n"),
    );
    if (problems > 0) fail();
  });
};
