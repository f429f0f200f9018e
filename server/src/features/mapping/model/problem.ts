/** Something that is wrong with a mapping. */
export interface Problem {
  readonly level: "error" | "warning";
  /** Where: `["streams", "tickets", "fields", "cf_5"]`. */
  readonly path: readonly string[];
  /** For people: one sentence. */
  readonly message: string;
}

export const createProblems = (...at: readonly string[]) => {
  const all: Problem[] = [];
  const add = (level: Problem["level"]) => (path: readonly string[], message: string) =>
    void all.push({ level, path: [...at, ...path], message });
  return { all, error: add("error"), warning: add("warning") };
};
