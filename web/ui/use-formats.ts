import { useMemo } from "react";
import { createFormats, type Formats } from "./formats.ts";
import { useLocale } from "./locale.tsx";

/** Number and date formats of the reader's locale and time zone. */
export const useFormats = (): Formats => {
  const { locale } = useLocale();
  return useMemo(() => createFormats(locale), [locale]);
};
