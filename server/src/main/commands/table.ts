import Table from "cli-table3";

export type Cell = string | number | boolean | Date | null | undefined;

// Names and references come from partners and customers: escape control and bidirectional characters for the terminal.
const steering = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Escapes characters that would control the terminal. */
export const printable = (text: string): string =>
  text.replace(
    steering,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`,
  );

/** Over the wire a time is a text. */
export const dateOf = (time: string | null): Date | null => (time === null ? null : new Date(time));

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

/** A table with a header row; without borders, so that cut and grep work on it. */
export const table = (heads: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const drawn = new Table({ ...plain, head: heads.map((head) => head.toUpperCase()) });
  drawn.push(...rows.map((row) => row.map(cellText)));
  return withoutTrailingSpace(drawn.toString());
};

/** One record: a name and its value per line. */
export const sheet = (entries: Readonly<Record<string, Cell>>): string => {
  const drawn = new Table(plain);
  drawn.push(...Object.entries(entries).map(([name, cell]) => [name, cellText(cell)]));
  return withoutTrailingSpace(drawn.toString());
};
