import type { Family } from "@portage/contract";
import type { ZodType } from "zod";

export type Role = "source" | "destination";

/** All that the API, the wizard and the documentation read of a tool without running its code. */
export interface Manifest<S = unknown> {
  /** Folder name, database value, the value of `source_tool`. */
  readonly name: string;
  /** The name for people. */
  readonly label: string;
  readonly families: readonly [Family, ...Family[]];
  readonly roles: readonly [Role, ...Role[]];
  /**
   * What a person must give to connect. A partner may supply `instanceUrl`, `username` and `token` when it creates
   * an import, so a setting that means one of these has that name.
   */
  readonly settings: ZodType<S>;
}

/** A tool, as data first and functions last. */
export interface Connector<S = unknown> {
  readonly manifest: Manifest<S>;
}
