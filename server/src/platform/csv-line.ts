/** A spreadsheet would run these as a formula; an apostrophe before them marks them as text. */
const isFormula = (text: string) => /^[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/.test(text);

const cell = (text: string): string => {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One line of RFC 4180, safe to open in a spreadsheet. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;
