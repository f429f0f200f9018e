import type { z } from "zod";
import { InvalidInput } from "./invalid-input.ts";

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** By the rules that the command line follows; mistakes are named as this API names its fields. */
export const checked = <T extends z.ZodType>(schema: T, given: object): z.output<T> => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const errors: Record<string, string[]> = {};
  for (const { path, message } of parsed.error.issues)
    (errors[path.map((part) => snake(String(part))).join(".") || "base"] ??= []).push(message);
  throw new InvalidInput(errors);
};
