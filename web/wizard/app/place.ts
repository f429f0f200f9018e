import { isScreenName, type ScreenName } from "./screen-names.ts";

/** What an address of the wizard names. */
export type Place =
  | { readonly kind: "screen"; readonly importId: string; readonly screen: ScreenName }
  /** The import alone: it decides itself which screen fits. */
  | { readonly kind: "import"; readonly importId: string }
  | { readonly kind: "nowhere" };

/** The place that a path names. */
export const placeOf = (path: string): Place => {
  const [, importId, screen = ""] = /^\/imports\/([^/]+)(?:\/([^/]*))?\/?$/.exec(path) ?? [];
  if (importId === undefined) return { kind: "nowhere" };
  if (isScreenName(screen)) return { kind: "screen", importId, screen };
  return screen === "" ? { kind: "import", importId } : { kind: "nowhere" };
};

export const pathOf = (importId: string, screen: ScreenName): string => `/imports/${importId}/${screen}`;
