import { useMemo } from "react";
import { createFormats, type Formats } from "./formats.ts";
import { useSpeech } from "./words.tsx";

/** Numbers and dates as the reader writes them, in the reader's zone. */
export const useFormats = (): Formats => {
  const { locale } = useSpeech();
  return useMemo(() => createFormats(locale), [locale]);
};
