import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Received } from "./webhook-receiver.ts";

const program = join(import.meta.dirname, "verify_by_contract.py");

/** A receiver in Python: whether each signature is valid. */
export const verifyInPython = (
  asked: readonly { readonly secret: string; readonly received: Pick<Received, "headers" | "body"> }[],
): readonly { readonly classic: boolean; readonly standard: boolean }[] =>
  execFileSync("python3", [program], {
    input: asked
      .map(({ secret, received: { headers, body } }) => JSON.stringify({ secret, headers, body }))
      .join("\n"),
    encoding: "utf8",
  })
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { classic: boolean; standard: boolean });
