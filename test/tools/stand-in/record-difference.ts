import type { FamilyRecord } from "@portage/connector-kit";

type Fields = Readonly<Record<string, unknown>>;
/** Field and value; or field, nested field and value. A field is given by its position in the pattern. */
type Difference = readonly [string | number, unknown] | readonly [string | number, string, unknown];

const isPlain = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => isSame((a as Fields)[key], (b as Fields)[key]))
  );
};

const hasSameFields = (a: Fields, b: Fields) =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(b).every((key) => key in a);

/** The difference of a copy to its pattern, a few ids, as text. Its own id does not count. */
export const differenceOf = (pattern: FamilyRecord, record: FamilyRecord): string | null => {
  const from = pattern as unknown as Fields;
  const to = record as unknown as Fields;
  const names = Object.keys(from);
  const found: Difference[] = [];
  for (const name of Object.keys(to)) {
    const a = from[name];
    const b = to[name];
    if (name === "id" || isSame(a, b)) continue;
    const at = names.indexOf(name);
    const place = at < 0 ? name : at;
    if (!isPlain(a) || !isPlain(b) || !hasSameFields(a, b)) found.push([place, b]);
    else
      for (const [key, value] of Object.entries(b))
        if (!isSame(a[key], value)) found.push([place, key, value]);
  }
  // A difference can't express a field that the record lacks.
  return names.every((name) => name in to) ? JSON.stringify(found) : null;
};

export const applyDifference = (pattern: FamilyRecord, id: string, text: string): FamilyRecord => {
  const names = Object.keys(pattern);
  const made: Record<string, unknown> = { ...pattern, id };
  for (const [place, ...change] of JSON.parse(text) as Difference[]) {
    const name = typeof place === "number" ? (names[place] ?? "") : place;
    if (change.length === 1) made[name] = change[0];
    else made[name] = { ...(made[name] as Fields), [change[0]]: change[1] };
  }
  return made as unknown as FamilyRecord;
};
