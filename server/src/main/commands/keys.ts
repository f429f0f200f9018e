import { randomBytes } from "node:crypto";
import { type Command, InvalidArgumentError } from "commander";
import { keyBytes, keyIdPattern } from "../config.ts";
import type { Operator } from "./operator.ts";

const keyId = (text: string): string => {
  if (!keyIdPattern.test(text))
    throw new InvalidArgumentError("It must be 1 to 32 of lower-case letters, digits and -.");
  return text;
};

const today = () => `k${new Date().toISOString().slice(0, 10).replaceAll("-", "")}`;

export const keysCommands = (program: Command, operator: Operator): void => {
  const keys = program.command("keys").description("the keys that seal what is secret");

  keys
    .command("new")
    .description("make a key, as PORTAGE_KEYS takes it")
    .option("--id <id>", "its name, unlike that of any other of your keys (default: k and the date)", keyId)
    .action(({ id = today() }: { id?: string }) => {
      const entry = `${id}:${randomBytes(keyBytes).toString("base64")}`;
      operator.answer({ id, entry }, () => entry);
      operator.remark(
        "Set PORTAGE_KEYS to it. To rotate, put it in front of the keys that are there, with a comma.",
      );
    });
};
