import { type Command, InvalidArgumentError } from "commander";

const wholeNumberPattern = /^\d{1,9}$/;

/** Parses a whole number; anything else is a usage error. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!wholeNumberPattern.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
    return value;
  };

export const limitOption = (command: Command): Command =>
  command.option("--limit <number>", "Maximum number of results", wholeNumber(1, 1_000), 50);
