import { writeZip, type ZipPart } from "./write-zip.ts";

export const xml = (text: string): string =>
  text
    .replace(
      /[\u0000-\u0008\u000b-\u001f]/g,
      (each) => `_x${each.charCodeAt(0).toString(16).padStart(4, "0")}_`,
    )
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const letters = (column: number): string =>
  column < 26
    ? String.fromCharCode(65 + column)
    : letters(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26));

export const bookParts = (
  sheets: readonly { readonly name: string; readonly data: string }[],
  extra: readonly ZipPart[] = [],
  date1904 = false,
): readonly ZipPart[] => {
  const part = (path: string, content: string): ZipPart => ({ path, content: Buffer.from(content) });
  return [
    part(
      "xl/workbook.xml",
      `<?xml version="1.0"?><workbook xmlns:r="r"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${sheets
        .map(
          ({ name }, index) => `<sheet name="${xml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
        )
        .join("")}</sheets></workbook>`,
    ),
    part(
      "xl/_rels/workbook.xml.rels",
      `<Relationships>${sheets
        .map((_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`)
        .join("")}</Relationships>`,
    ),
    ...sheets.map(({ data }, index) =>
      part(
        `xl/worksheets/sheet${index + 1}.xml`,
        `<?xml version="1.0"?><worksheet><sheetData>${data}</sheetData></worksheet>`,
      ),
    ),
    ...extra,
  ];
};

/** A workbook whose texts are all shared strings, as Excel writes them. */
export const writeXlsx = (rows: readonly (readonly string[])[], name = "Sheet1"): Buffer => {
  const shared = new Map<string, number>();
  const numberOf = (text: string) => {
    const known = shared.get(text) ?? shared.size;
    shared.set(text, known);
    return known;
  };
  const data = rows
    .map((cells, row) => {
      const written = cells.map((text, column) =>
        text === "" ? "" : `<c r="${letters(column)}${row + 1}" t="s"><v>${numberOf(text)}</v></c>`,
      );
      return `<row r="${row + 1}">${written.join("")}</row>`;
    })
    .join("");
  const texts = [...shared.keys()].map((text) => `<si><t xml:space="preserve">${xml(text)}</t></si>`);
  const content = Buffer.from(`<?xml version="1.0"?><sst>${texts.join("")}</sst>`);
  return writeZip(bookParts([{ name, data }], [{ path: "xl/sharedStrings.xml", content }]));
};
