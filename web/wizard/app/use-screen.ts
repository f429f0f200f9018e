import { type ComponentType, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ScreenName } from "./screen-names.ts";
import { furtherTexts, loadScreen } from "./screens.ts";

interface Shown {
  readonly name: ScreenName;
  readonly Screen: ComponentType;
}

/** The requested screen once it and its texts are loaded; until then the previous one. */
export const useScreen = (wanted: ScreenName): Shown | null => {
  const { i18n } = useTranslation("shell");
  const [shown, setShown] = useState<Shown | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    let current = true;
    Promise.all([loadScreen[wanted](), i18n.loadNamespaces([wanted, ...(furtherTexts[wanted] ?? [])])]).then(
      ([{ Screen }]) => {
        if (current) setShown({ name: wanted, Screen });
      },
      (error: Error) => {
        if (current) setFailure(error);
      },
    );
    return () => {
      current = false;
    };
  }, [wanted, i18n]);
  if (failure) throw failure;
  return shown;
};
