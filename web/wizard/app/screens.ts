import type { ComponentType } from "react";
import type { ScreenName } from "./screen-names.ts";

interface ScreenModule {
  readonly Screen: ComponentType;
}

/** One chunk per screen, loaded on demand. */
export const loadScreen: Readonly<Record<ScreenName, () => Promise<ScreenModule>>> = {
  start: () => import("../screens/start/screen.tsx"),
  connect: () => import("../screens/connect/screen.tsx"),
  destination: () => import("../screens/destination/screen.tsx"),
  choose: () => import("../screens/choose/screen.tsx"),
  people: () => import("../screens/people/screen.tsx"),
  fields: () => import("../screens/fields/screen.tsx"),
  preview: () => import("../screens/preview/screen.tsx"),
  sample: () => import("../screens/sample/screen.tsx"),
  review: () => import("../screens/review/screen.tsx"),
  full: () => import("../screens/full/screen.tsx"),
  move: () => import("../screens/move/screen.tsx"),
  done: () => import("../screens/done/screen.tsx"),
  undo: () => import("../screens/undo/screen.tsx"),
};

/** Catalogues that a screen needs in addition to its own. */
export const furtherTexts: Partial<
  Readonly<
    Record<
      ScreenName,
      readonly ("kinds" | "matching" | "preflight" | "reasons" | "running" | "sample" | "connect" | "files")[]
    >
  >
> = {
  connect: ["kinds", "files"],
  destination: ["kinds", "connect", "files"],
  choose: ["kinds"],
  people: ["matching"],
  fields: ["matching", "kinds"],
  preview: ["matching", "kinds"],
  sample: ["running", "kinds"],
  review: ["running", "sample", "kinds", "reasons"],
  full: ["running", "kinds", "preflight"],
  move: ["running", "kinds", "reasons"],
  done: ["running", "kinds", "reasons"],
  undo: ["running", "kinds", "reasons"],
};
