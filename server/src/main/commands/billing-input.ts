import { text as readAll } from "node:stream/consumers";
import type { z } from "zod";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";

/** Reads one JSON value from stdin and reports all its mistakes at once. */
export const readInput = async <T>(operator: Operator, schema: z.ZodType<T>): Promise<T> => {
  const text = await readAll(operator.needs.stdin());
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new CommandError("invalid_json", "stdin has no valid JSON.", { exitCode: 2 });
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join(".") || "it"} ${message}`);
  throw new CommandError("invalid_input", `Invalid input on stdin:\n${lines.join("\n")}`, {
    exitCode: 2,
  });
};
