import { useCallback, useState } from "react";
import { useClient } from "../api/use-client.tsx";
import { browserStorage } from "../app/browser-storage.ts";

const keyOf = (importId: string) => `portage:decided:${importId}`;

const read = (importId: string): ReadonlySet<string> => {
  try {
    const kept: unknown = JSON.parse(browserStorage()?.getItem(keyOf(importId)) ?? "[]");
    return new Set(Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : []);
  } catch {
    return new Set();
  }
};

const keep = (importId: string, touched: ReadonlySet<string>) => {
  try {
    browserStorage()?.setItem(keyOf(importId), JSON.stringify([...touched]));
  } catch {
    // Without storage the wizard only asks again.
  }
};

export const touchKey = (stream: string, key: string) => `${stream}/${key}`;

/**
 * The fields and people that the customer has decided. The saved mapping does not distinguish chosen notes from default
 * ones, nor a confirmed match from a suggested one.
 */
export const useTouched = () => {
  const { importId } = useClient();
  const [touched, setTouched] = useState(() => read(importId));
  const touch = useCallback(
    (keys: readonly string[]) =>
      setTouched((before) => {
        const after = new Set([...before, ...keys]);
        keep(importId, after);
        return after;
      }),
    [importId],
  );
  return { touched, touch };
};
