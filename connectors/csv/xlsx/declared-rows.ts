import type { Sheet, Workbook } from "./workbook.ts";
import { xmlEvents } from "./xml-events.ts";

/** The number of the last row that the start of the sheet states; null: it states none. */
export const declaredRows = async ({ zip }: Workbook, sheet: Sheet): Promise<number | null> => {
  let last: number | null = null;
  let begun = false;
  const events = xmlEvents(await zip.open(sheet.path), {
    open(name, { ref }) {
      if (name === "dimension" && !begun)
        last = Number(/:[A-Z]{1,3}(\d{1,7})$/.exec(ref ?? "")?.[1] ?? 0) || null;
      if (name === "sheetData") begun = true;
    },
  });
  for await (const _ of events) if (begun || last !== null) break;
  return last;
};
