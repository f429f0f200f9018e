import { fileError } from "../file-error.ts";
import { unescapeText } from "./cell-text.ts";
import type { Workbook } from "./workbook.ts";
import { xmlEvents } from "./xml-events.ts";

const path = "xl/sharedStrings.xml";
/** Excel's limit is 32,767 characters per cell. */
const maxCharacters = 8_000_000;

/** The texts that cells name by number, in their order; `isWanted`: others are only counted. Ends early after a `false`. */
export const readSharedTexts = async (
  { zip }: Pick<Workbook, "zip">,
  isWanted: (index: number) => boolean,
  /** False: no more is needed. */
  take: (text: string, index: number) => boolean,
): Promise<void> => {
  if (!zip.has(path)) return;
  let parts: string[] = [];
  let characters = 0;
  let index = 0;
  let inText = false;
  let phonetic = 0;
  let goesOn = true;
  const events = xmlEvents(await zip.open(path), {
    open(name) {
      if (name === "si") {
        parts = [];
        characters = 0;
      }
      if (name === "rPh") phonetic += 1;
      inText = name === "t" && phonetic === 0;
    },
    text(text) {
      if (!inText || !goesOn || !isWanted(index)) return;
      characters += text.length;
      if (characters > maxCharacters)
        throw fileError(
          "file_too_large",
          "A text of this Excel file is too long to read. Delete or shorten it.",
        );
      parts.push(text);
    },
    close(name) {
      if (name === "t") inText = false;
      if (name === "rPh") phonetic -= 1;
      if (name !== "si") return;
      if (goesOn && isWanted(index)) goesOn = take(unescapeText(parts.join("")), index);
      index += 1;
    },
  });
  for await (const _ of events) if (!goesOn) return;
};
