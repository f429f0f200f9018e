import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { newIdentityKey, publicIdentityKey } from "../../platform/identity-key.ts";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";

/** Reads the key, or creates it if the file does not exist; never overwrites a file. */
const readOrMake = (file: string): { readonly pem: string; readonly made: boolean } => {
  const pem = newIdentityKey();
  try {
    writeFileSync(file, pem, { mode: 0o600, flag: "wx" });
    return { pem, made: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      return { pem: readFileSync(file, "utf8"), made: false };
    throw new CommandError("not_written", `${file} can't be written: ${(error as Error).message}`);
  }
};

export const restateCommands = (restate: Command, operator: Operator): void => {
  restate
    .command("key")
    .description("Create or read the key that Restate signs its calls with; prints the public key")
    .argument("<file>", "Private key file, for Restate only")
    .action((file: string) => {
      const { pem, made } = readOrMake(file);
      let publicKey: string;
      try {
        publicKey = publicIdentityKey(pem);
      } catch {
        throw new CommandError("not_a_key", `${file} does not hold an Ed25519 key in PEM form.`, {
          fix: "To create a key, pass a file that does not exist yet.",
        });
      }
      operator.answer({ file, made, public_key: publicKey }, () => publicKey);
      operator.remark(
        "Set RESTATE_IDENTITY_KEYS of the workers to it, and RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE of Restate to the file.",
      );
    });
};
