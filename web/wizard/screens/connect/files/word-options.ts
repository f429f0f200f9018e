import { leftOutWords } from "./file-edits.ts";

/** The meanings that a word can have. */
export const meanings = (options: readonly string[]) =>
  options.map((value) => ({ value, label: value.replaceAll("_", " ") }));

/** What can become of all other words: a meaning, or their rows are left out. */
export const meaningsOfOthers = (options: readonly string[], leaveOut: string) => [
  { value: leftOutWords, label: leaveOut },
  ...meanings(options),
];
