export interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The instructions of a Dockerfile in order; continued lines are joined, comments left out. */
export const readDockerfile = (text: string): readonly Instruction[] =>
  text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => /^\s*([A-Za-z]+)\s+(.*)$/.exec(line.trim()))
    .filter((found) => found !== null)
    .map(([, name = "", value = ""]) => ({ name: name.toUpperCase(), value }));

/** The words of a command in its JSON form; the shell form is refused, because a shell swallows signals. */
export const commandWords = (value: string): readonly string[] => {
  const words: unknown = value.startsWith("[") ? JSON.parse(value) : undefined;
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string"))
    throw new Error(`Not a command in JSON form: ${value}`);
  return words;
};
