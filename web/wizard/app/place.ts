import { isScreenName, type ScreenName } from "./screen-names.ts";

/** The target of a wizard address. */
export type Place =
  | { readonly kind: "screen"; readonly importId: string; readonly screen: ScreenName }
  /** The import without a screen: its status decides which one fits. */
  | { readonly kind: "import"; readonly importId: string }
  | { readonly kind: "nowhere" };

/** Parses a path. */
export const placeOf = (path: string): Place => {
  const [, importId, screen = ""] = /^\/imports\/([^/]+)(?:\/([^/]*))?\/?$/.exec(path) ?? [];
  if (importId === undefined) return { kind: "nowhere" };
  if (isScreenName(screen)) return { kind: "screen", importId, screen };
  return screen === "" ? { kind: "import", importId } : { kind: "nowhere" };
};

export const pathOf = (importId: string, screen: ScreenName): string => `/imports/${importId}/${screen}`;
