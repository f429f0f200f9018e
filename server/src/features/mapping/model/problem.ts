/** A problem with a mapping. */
export interface MappingProblem {
  readonly level: "error" | "warning";
  /** Where: `["streams", "tickets", "fields", "cf_5"]`. */
  readonly path: readonly string[];
  /** One sentence for the customer. */
  readonly message: string;
}

export const createProblems = (...at: readonly string[]) => {
  const all: MappingProblem[] = [];
  const add = (level: MappingProblem["level"]) => (path: readonly string[], message: string) =>
    void all.push({ level, path: [...at, ...path], message });
  return { all, error: add("error"), warning: add("warning") };
};
