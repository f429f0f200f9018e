import { useCallback } from "react";
import { useTranslation } from "react-i18next";

/** The words for a code from the server, by catalogue and group; the code itself, readable, where there are none. */
export const useWords = (group: string): ((code: string) => string) => {
  const { t, i18n } = useTranslation("codes");
  return useCallback(
    (code) => {
      const key = `${group}.${code}`;
      const say = t as unknown as (key: string) => string;
      return i18n.exists(key, { ns: "codes" }) ? say(key) : code.replaceAll(/[_.]/g, " ");
    },
    [t, i18n, group],
  );
};
