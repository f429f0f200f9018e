import { z } from "zod";

const characters = (value: string) => Array.from(value).length;

/** PostgreSQL cannot hold a NUL and UTF-8 cannot hold half a surrogate pair: refuse them, never alter them. */
export const isStorableText = (value: string) => value.isWellFormed() && !value.includes("\0");

/** A text of at most `max` characters (code points, as JSON Schema counts them), whose messages are predicates. */
export const text = (max: number) =>
  z
    .string({ error: ({ input }) => (input == null ? "can't be blank" : "must be a string") })
    .refine((value) => characters(value) <= max, `is too long (at most ${max} characters)`)
    .refine(isStorableText, "has a character that is not allowed")
    .meta({ maxLength: max });

export const filledText = (max: number) =>
  text(max)
    .refine((value) => value.trim() !== "", "can't be blank")
    .meta({ maxLength: max, pattern: "\\S" });
