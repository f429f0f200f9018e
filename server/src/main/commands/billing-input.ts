import { text as readAll } from "node:stream/consumers";
import type { z } from "zod";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";

/** Reads one JSON value on stdin; every mistake in it is named at once. */
export const readInput = async <T>(operator: Operator, schema: z.ZodType<T>): Promise<T> => {
  const text = await readAll(operator.needs.stdin());
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new CommandError("invalid_json", "There is no JSON on stdin.", { exitCode: 2 });
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join(".") || "it"} ${message}`);
  throw new CommandError("invalid_input", `What is on stdin is refused:\n${lines.join("\n")}`, {
    exitCode: 2,
  });
};
