const longestTitle = 200;

/** The record's title; null: it has none, such as a comment. */
export const recordTitle = (record: object): string | null => {
  const fields = record as Readonly<Record<string, unknown>>;
  const title = ["subject", "title", "name", "fileName"]
    .map((name) => fields[name])
    .find((value): value is string => typeof value === "string" && value.trim() !== "");
  return title?.slice(0, longestTitle).toWellFormed() ?? null;
};
