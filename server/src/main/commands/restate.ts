import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { newIdentityKey, publicIdentityKey } from "../../platform/identity-key.ts";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";

/** The key in the file, made if the file is not there; what is there is never overwritten. */
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

export const restateCommands = (program: Command, operator: Operator): void => {
  const restate = program.command("restate").description("what Restate and the workers must agree upon");

  restate
    .command("key")
    .description("make the key that Restate signs its calls with, or read it; prints its public half")
    .argument("<file>", "where the private key is, or is to be: for Restate alone")
    .action((file: string) => {
      const { pem, made } = readOrMake(file);
      let publicKey: string;
      try {
        publicKey = publicIdentityKey(pem);
      } catch {
        throw new CommandError("not_a_key", `${file} does not hold an Ed25519 key in PEM form.`, {
          fix: "Name a file that does not exist yet.",
        });
      }
      operator.answer({ file, made, public_key: publicKey }, () => publicKey);
      operator.remark(
        "Set RESTATE_IDENTITY_KEYS of the workers to it, and RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE of Restate to the file.",
      );
    });
};
