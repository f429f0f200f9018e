interface ChangedField {
  readonly field: string;
  /** Null: there was none, or there is none any more. */
  readonly before: string | null;
  readonly after: string | null;
}

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The values by name; those within a group as `branding.color`. */
const flat = (value: unknown, within = ""): readonly (readonly [name: string, value: unknown])[] =>
  isGroup(value)
    ? Object.entries(value).flatMap(([name, each]) => flat(each, within === "" ? name : `${within}.${name}`))
    : within === ""
      ? []
      : [[within, value]];

const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);

/** What an entry of the audit log says was changed: only the fields that differ. */
export const changesBetween = (before: unknown, after: unknown): readonly ChangedField[] => {
  const [was, is] = [new Map(flat(before)), new Map(flat(after))];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({ field, before: textOf(was.get(field)), after: textOf(is.get(field)) }))
    .filter((change) => change.before !== change.after);
};
