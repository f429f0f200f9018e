import { checksumOf } from "@portage/connector-kit";

/**
 * Files have no field for a key. So the text of the ticket or note to which a file is added names it, in the same call: by one
 * word for the key and one for the file's name.
 */
const words = /\(files:((?: ?[a-z]{12}-[a-z]{6})+)\)/g;

export const filesIn = (html: string | null | undefined): readonly string[] =>
  [...(html ?? "").matchAll(words)].at(-1)?.[1]?.trim().split(" ") ?? [];

const end = / \(seal:[a-z]{12}\) \(portage:[a-z0-9:_-]{1,64}\)<\/small><\/p>\s*$/;

/** The text with these files in its last line; a person may have removed the line. */
export const withFiles = (html: string, files: readonly string[]): string => {
  if (files.length === 0) return html;
  const list = `(files:${files.join(" ")})`;
  if (filesIn(html).length > 0) return html.replace(/\(files:[^)]*\)(?![\s\S]*\(files:)/, list);
  const at = html.search(end);
  return at === -1
    ? `${html}\n<p><small>${list}</small></p>`
    : `${html.slice(0, at)} ${list}${html.slice(at)}`;
};

export const keyWord = (key: string): string => checksumOf(key, "", null);

/** Freshdesk may replace characters of a name that file systems don't allow. */
export const nameWord = (name: string): string =>
  checksumOf("", name.toLowerCase().replace(/[^a-z0-9]/g, ""), null).slice(0, 6);

/** The key's word of each file, in the order of the files; null: no import added it. */
export const keyWords = (
  html: string | null | undefined,
  files: readonly { readonly id: number; readonly name: string }[],
): ReadonlyMap<number, string> => {
  const left = files.toSorted((a, b) => a.id - b.id);
  const found = new Map<number, string>();
  for (const [key = "", name] of filesIn(html).map((each) => each.split("-"))) {
    const at = left.findIndex((file) => nameWord(file.name) === name);
    for (const { id } of at === -1 ? [] : left.splice(at, 1)) found.set(id, key);
  }
  return found;
};

/** The same as a list, for what a removal would take with it. */
export const keysOfFiles = (
  html: string | null | undefined,
  files: readonly { readonly id: number; readonly name: string }[] | null | undefined,
): readonly (string | null)[] => {
  const keys = keyWords(html, files ?? []);
  return (files ?? []).map(({ id }) => keys.get(id) ?? null);
};
