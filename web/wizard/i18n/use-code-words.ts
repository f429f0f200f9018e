import { useCallback } from "react";
import { useTranslation } from "react-i18next";

type Namespace = "kinds" | "reasons" | "preflight";

type Values = Readonly<Record<string, unknown>>;

/** The text for a code from the server; undefined if the catalogue has none. */
export type CodeWords = (key: string, values?: Values) => string | undefined;

export const useCodeWords = (namespace: Namespace): CodeWords => {
  const { t, i18n } = useTranslation(namespace);
  return useCallback(
    (key, values = {}) => {
      const say = t as unknown as (key: string, values: Values) => string;
      return i18n.exists(key, { ns: namespace, ...values }) ? say(key, values) : undefined;
    },
    [t, i18n, namespace],
  );
};
