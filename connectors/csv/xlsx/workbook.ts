import { fileError } from "../file-error.ts";
import type { StoredFile } from "../file-store.ts";
import { type NumberKind, numberKind } from "./cell-text.ts";
import { readXml } from "./xml-events.ts";
import { openZip, type ZipFile, type ZipLimits, zipLimits } from "./zip-file.ts";

export interface Sheet {
  readonly name: string;
  readonly path: string;
  readonly hidden: boolean;
}

export interface Workbook {
  readonly zip: ZipFile;
  readonly sheets: readonly Sheet[];
  readonly from1904: boolean;
  /** By a cell's style number. */
  readonly kinds: readonly NumberKind[];
}

const resolved = (target: string) => (target.startsWith("/") ? target.slice(1) : `xl/${target}`);

const readTargets = async (zip: ZipFile) => {
  const targets = new Map<string, string>();
  await readXml(await zip.open("xl/_rels/workbook.xml.rels"), {
    open: (name, { Id, Target }) => {
      if (name === "Relationship" && Id && Target) targets.set(Id, resolved(Target));
    },
  });
  return targets;
};

const maxStyles = 100_000;

const readKinds = async (zip: ZipFile): Promise<readonly NumberKind[]> => {
  if (!zip.has("xl/styles.xml")) return [];
  const codes = new Map<number, string>();
  const kinds: NumberKind[] = [];
  let inCells = false;
  await readXml(await zip.open("xl/styles.xml"), {
    open(name, { numFmtId, formatCode }) {
      if (name === "cellXfs") inCells = true;
      if (codes.size + kinds.length > maxStyles) return;
      if (name === "numFmt" && numFmtId && formatCode) codes.set(Number(numFmtId), formatCode);
      if (name === "xf" && inCells) {
        const id = Number(numFmtId ?? 0);
        kinds.push(numberKind(id, codes.get(id)));
      }
    },
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
  });
  return kinds;
};

/** Opens a workbook: its sheets and styles, without the cells. */
export const openWorkbook = async (file: StoredFile, limits: ZipLimits = zipLimits): Promise<Workbook> => {
  const zip = await openZip(file, limits);
  if (!zip.has("xl/workbook.xml"))
    throw fileError(
      "file_format",
      "This is a ZIP archive, not an Excel file. Unpack it, and upload the CSV or XLSX files in it one by one.",
    );
  const targets = await readTargets(zip);
  const sheets: Sheet[] = [];
  let from1904 = false;
  await readXml(await zip.open("xl/workbook.xml"), {
    open(tag, attributes) {
      if (tag === "workbookPr") from1904 = ["1", "true"].includes(attributes.date1904 ?? "");
      if (tag !== "sheet") return;
      const id = Object.entries(attributes).find(([name]) => name.endsWith(":id"))?.[1];
      const path = id === undefined ? undefined : targets.get(id);
      // Skips the sheets of charts and macros.
      if (attributes.name && path?.includes("worksheets/"))
        sheets.push({ name: attributes.name, path, hidden: (attributes.state ?? "visible") !== "visible" });
    },
  });
  return { zip, sheets, from1904, kinds: await readKinds(zip) };
};

export const chooseSheet = ({ sheets }: Workbook, name: string | undefined): Sheet => {
  const found =
    name === undefined
      ? (sheets.find(({ hidden }) => !hidden) ?? sheets[0])
      : sheets.find((each) => each.name === name);
  if (found) return found;
  const names = sheets.map((each) => `“${each.name}”`).join(", ");
  throw fileError(
    "columns_changed",
    `The Excel file has no sheet “${name ?? ""}”; it has ${names || "none"}. Choose one of these.`,
  );
};
