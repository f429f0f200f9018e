import Table from "cli-table3";

export type Cell = string | number | boolean | Date | null | undefined;

// Names, usernames and references come from other people: what steers a terminal, or turns text around, is shown as a code.
const steering = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A text that can be printed without the terminal obeying it. */
export const printable = (text: string): string =>
  text.replace(
    steering,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`,
  );

export const dateText = (date: Date): string => `${date.toISOString().slice(0, 19).replace("T", " ")}Z`;

const cellText = (cell: Cell): string => {
  if (cell === null || cell === undefined || cell === "") return "-";
  if (cell instanceof Date) return dateText(cell);
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  return printable(String(cell));
};

const plain = {
  chars: {
    top: "",
    "top-mid": "",
    "top-left": "",
    "top-right": "",
    bottom: "",
    "bottom-mid": "",
    "bottom-left": "",
    "bottom-right": "",
    left: "",
    "left-mid": "",
    mid: "",
    "mid-mid": "",
    right: "",
    "right-mid": "",
    middle: "  ",
  },
  style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
};

const withoutTrailingSpace = (text: string) => text.replace(/[ \t]+$/gm, "");

/** Columns with their heads; no frame, so that it can be cut, grepped and pasted. */
export const table = (heads: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const drawn = new Table({ ...plain, head: heads.map((head) => head.toUpperCase()) });
  drawn.push(...rows.map((row) => row.map(cellText)));
  return withoutTrailingSpace(drawn.toString());
};

/** One thing: a name and its value on each line. */
export const sheet = (entries: Readonly<Record<string, Cell>>): string => {
  const drawn = new Table(plain);
  drawn.push(...Object.entries(entries).map(([name, cell]) => [name, cellText(cell)]));
  return withoutTrailingSpace(drawn.toString());
};
