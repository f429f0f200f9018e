import { randomBytes } from "node:crypto";
import { type Command, InvalidArgumentError } from "commander";
import { keyBytes, keyIdPattern } from "../config.ts";
import { rotateKeys } from "../keys/rotate-keys.ts";
import { keyUse, type KeyUse } from "../keys/sealed-columns.ts";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { table } from "./table.ts";

const keyId = (text: string): string => {
  if (!keyIdPattern.test(text))
    throw new InvalidArgumentError("It must be 1 to 32 of lower-case letters, digits and -.");
  return text;
};

const today = () => `k${new Date().toISOString().slice(0, 10).replaceAll("-", "")}`;

const howToRotate =
  "To rotate: put it behind the keys that are there, with a comma, and restart every process; then put it in front, " +
  "restart again, and run: portage keys rotate";

const whatNext = ({ used, ring }: { used: readonly KeyUse[]; ring: readonly string[] }) => {
  const unused = ring.slice(1).filter((id) => !used.some(({ key }) => key === id));
  return unused.length === 0
    ? []
    : [`Nothing is sealed with ${unused.join(", ")}: take it out of PORTAGE_KEYS and restart every process.`];
};

export const keysCommands = (program: Command, operator: Operator, fail: () => void): void => {
  const keys = program.command("keys").description("the keys that seal what is secret");

  keys
    .command("new")
    .description("make a key, as PORTAGE_KEYS takes it")
    .option("--id <id>", "its name, unlike that of any other of your keys (default: k and the date)", keyId)
    .action(({ id = today() }: { id?: string }) => {
      const entry = `${id}:${randomBytes(keyBytes).toString("base64")}`;
      operator.answer({ id, entry }, () => entry);
      operator.remark(`Set PORTAGE_KEYS to it. ${howToRotate}`);
    });

  keys
    .command("status")
    .description("what is sealed with which key")
    .action(async () => {
      const sealer = operator.sealer();
      const used = await operator.withDatabase(keyUse);
      const lost = used.filter(({ key }) => !sealer.keys.includes(key));
      operator.answer({ current_key: sealer.currentKey, sealed: used }, () =>
        used.length === 0
          ? "Nothing is sealed yet."
          : table(
              ["key", "what", "values", "in the ring"],
              used.map(({ key, what, values }) => [key, what, values, sealer.keys.includes(key)]),
            ),
      );
      for (const { key, what } of lost)
        operator.remark(
          `The ${what} that "${key}" sealed can't be opened: put that key back into PORTAGE_KEYS.`,
        );
      for (const line of whatNext({ used, ring: sealer.keys })) operator.remark(line);
      if (lost.length > 0) fail();
    });

  keys
    .command("rotate")
    .description(
      "seal everything with the first key of PORTAGE_KEYS; safe while the service runs, and to repeat",
    )
    .action(async () => {
      const sealer = operator.sealer();
      const rotated = await operator.withDatabase((db) =>
        rotateKeys(db, sealer, ({ what, done, of }) => operator.remark(`${what}: ${done} of ${of}`)),
      );
      if (rotated.kind === "under_way")
        throw new CommandError("rotation_under_way", "Another rotation is under way.", {
          fix: "Wait for it to end; portage keys status shows how far it is.",
        });
      const left = rotated.left.reduce((sum, { values }) => sum + values, 0);
      operator.answer({ current_key: sealer.currentKey, rewrapped: rotated.count, left: rotated.left }, () =>
        left === 0
          ? `Everything is sealed with "${sealer.currentKey}" (${rotated.count} values were not).`
          : `${rotated.count} values were sealed with "${sealer.currentKey}", and ${left} with another key meanwhile.`,
      );
      if (left > 0) {
        operator.remark(
          `A process still seals with ${rotated.left[0]?.key}: restart it with "${sealer.currentKey}" in front, then run this again.`,
        );
        fail();
        return;
      }
      for (const line of whatNext({ used: [], ring: sealer.keys })) operator.remark(line);
    });
};
