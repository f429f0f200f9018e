import { type Command, InvalidArgumentError } from "commander";

const wholeNumberPattern = /^\d{1,9}$/;

/** Reads a whole number of an option; anything else is a mistake on the command line. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!wholeNumberPattern.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };

export const limitOption = (command: Command): Command =>
  command.option("--limit <number>", "how many to show", wholeNumber(1, 1_000), 50);

/** Of one row more than was wanted: the page, and the id at which the next one starts. */
export const pageOf = <T extends { readonly id: string }>(
  rows: readonly T[],
  limit: number,
): { readonly page: readonly T[]; readonly next: string | null } => {
  const page = rows.slice(0, limit);
  return { page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
};
