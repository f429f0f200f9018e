import type { Role } from "../manifest.ts";
import type { Session } from "./session.ts";

/** Why a check could not be made. */
export interface Skipped {
  readonly skipped: string;
}

export interface Check {
  /** Stable; the mutant that it catches has the same name. */
  readonly name: string;
  /** What is shown to hold, as a sentence. */
  readonly shows: string;
  readonly role: Role | "both";
  /** Without these the check says nothing: when one of them failed, it is blocked. */
  readonly after?: readonly string[];
  run(session: Session): Promise<Skipped | undefined>;
}
