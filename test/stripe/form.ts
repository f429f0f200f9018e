/** The values of a form. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };

const isList = (value: { [name: string]: FormValue }) =>
  Object.keys(value).length > 0 && Object.keys(value).every((name, index) => name === String(index));

const listsIn = (value: FormValue): FormValue => {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, listsIn(part)]));
  return isList(inner) ? Object.values(inner) : inner;
};

/** Parses `a[b][0]=c` as the vendor does: brackets nest, numbers are positions in a list. */
export const readForm = (text: string): { [name: string]: FormValue } => {
  const root: { [name: string]: FormValue } = {};
  for (const [path, value] of new URLSearchParams(text)) {
    const names = path.split(/[[\]]+/).filter((name) => name !== "");
    let at = root;
    for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as { [name: string]: FormValue };
    at[names.at(-1) ?? ""] = value;
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, listsIn(value)]));
};
