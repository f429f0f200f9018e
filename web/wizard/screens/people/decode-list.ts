export interface DecodedList {
  readonly text: string;
  /** False: the letters are a guess, by the language of the page. */
  readonly isUtf8: boolean;
}

/** Spreadsheets save CSV as UTF-8, or as Windows has it in the country. */
export const decodeList = (bytes: ArrayBuffer, language: string): DecodedList => {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), isUtf8: true };
  } catch {
    const decoder = new TextDecoder(language === "ja" ? "shift_jis" : "windows-1252");
    return { text: decoder.decode(bytes), isUtf8: false };
  }
};
