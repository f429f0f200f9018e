import { type Origin, originLine, splitOrigin, withOrigin } from "@portage/connector-kit";
import type { RedmineIo } from "./settings.ts";
import { writeLine } from "./write-text.ts";

/** Our last line of a text: in the instance's format, with the key and, if the copy can be sealed, its seal. */
export const withLine = async (
  io: RedmineIo,
  text: string,
  origin: Origin,
  key: string,
  seal?: string,
): Promise<string> =>
  withOrigin(text, io.settings.textFormat, await writeLine(io, originLine(origin)), key, seal);

export const splitLine = (io: RedmineIo, text: string | null | undefined) =>
  splitOrigin(text, io.settings.textFormat);

/** The key in the last line of a text. */
export const keyInLine = (io: RedmineIo, text: string | null | undefined): string | null =>
  splitLine(io, text)?.key ?? null;
