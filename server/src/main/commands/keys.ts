import { randomBytes } from "node:crypto";
import { type Command, InvalidArgumentError } from "commander";
import { keyBytes, keyIdPattern } from "../config.ts";
import { rotateKeys } from "../keys/rotate-keys.ts";
import { keyUse, type KeyUse } from "../keys/sealed-columns.ts";
import { CommandError } from "./command-error.ts";
import { noteDirectChange } from "./direct-change.ts";
import type { Operator } from "./operator.ts";
import { table } from "./table.ts";

const keyId = (text: string): string => {
  if (!keyIdPattern.test(text))
    throw new InvalidArgumentError("Use 1 to 32 lower-case letters, digits and hyphens.");
  return text;
};

/** The date, for people, and random letters: an id must never come back with another key. */
const newKeyId = () =>
  `k${new Date().toISOString().slice(0, 10).replaceAll("-", "")}-${randomBytes(4).toString("hex")}`;

const howToRotate =
  "To rotate: append it to the existing keys after a comma and restart every process; then move it to the front, " +
  "restart again, and run: portage keys rotate";

const whatNext = ({ used, ring }: { used: readonly KeyUse[]; ring: readonly string[] }) => {
  const unused = ring.slice(1).filter((id) => !used.some(({ key }) => key === id));
  return unused.length === 0
    ? []
    : [`No value uses ${unused.join(", ")}: remove it from PORTAGE_KEYS and restart every process.`];
};

export const keysCommands = (keys: Command, operator: Operator, fail: () => void): void => {
  keys
    .command("new")
    .description("Create a key, in the format of PORTAGE_KEYS")
    .option("--id <id>", "Key id, unique among your keys (default: the date and random letters)", keyId)
    .action(({ id = newKeyId() }: { id?: string }) => {
      const entry = `${id}:${randomBytes(keyBytes).toString("base64")}`;
      operator.answer({ id, entry }, () => entry);
      operator.remark(`Set PORTAGE_KEYS to this value. ${howToRotate}`);
    });

  keys
    .command("status")
    .description("Show how many values each key encrypts")
    .action(async () => {
      const sealer = operator.sealer();
      const used = await operator.withDatabase(keyUse);
      const lost = used.filter(({ key }) => !sealer.keys.includes(key));
      operator.answer({ current_key: sealer.currentKey, sealed: used }, () =>
        used.length === 0
          ? "No encrypted values yet."
          : table(
              ["key", "what", "values", "in key ring"],
              used.map(({ key, what, values }) => [key, what, values, sealer.keys.includes(key)]),
            ),
      );
      for (const { key, what } of lost)
        operator.remark(`Can't decrypt the ${what} of key "${key}": add that key back to PORTAGE_KEYS.`);
      for (const line of whatNext({ used, ring: sealer.keys })) operator.remark(line);
      if (lost.length > 0) fail();
    });

  keys
    .command("rotate")
    .description(
      "Re-encrypt all values with the first key in PORTAGE_KEYS; safe to repeat, and while the service runs",
    )
    .action(async () => {
      const sealer = operator.sealer();
      const rotated = await operator.withDatabase(async (db) => {
        const result = await rotateKeys(db, sealer, ({ what, done, of }) =>
          operator.remark(`${what}: ${done} of ${of}`),
        );
        if (result.kind !== "under_way")
          await noteDirectChange(db, "rotateKeys", {
            target: { kind: "system", id: "keys" },
            after: { current_key: sealer.currentKey, rewrapped: result.count, left: result.left },
          });
        return result;
      });
      if (rotated.kind === "under_way")
        throw new CommandError("rotation_under_way", "Another key rotation is running.", {
          fix: "Wait until it ends. To see its progress, run: portage keys status",
        });
      const left = rotated.left.reduce((sum, { values }) => sum + values, 0);
      const { count, unreadable } = rotated;
      const answer = { current_key: sealer.currentKey, rewrapped: count, left: rotated.left, unreadable };
      operator.answer(answer, () =>
        left === 0
          ? `All values use "${sealer.currentKey}" (${rotated.count} re-encrypted).`
          : `${rotated.count} values re-encrypted for "${sealer.currentKey}"; ${left} new ones use another key.`,
      );
      if (left > 0) {
        operator.remark(
          `A process still encrypts with ${rotated.left[0]?.key}: restart it with these keys, then run this again.`,
        );
        fail();
        return;
      }
      for (const { what, values } of unreadable)
        operator.remark(
          `No key in PORTAGE_KEYS decrypts ${values} of the ${what}: add the key that encrypted them.`,
        );
      if (unreadable.length > 0) {
        operator.remark("Remove no key until this command ends without such a line.");
        fail();
        return;
      }
      for (const line of whatNext({ used: [], ring: sealer.keys })) operator.remark(line);
    });
};
