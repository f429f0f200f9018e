import type { Role } from "../manifest.ts";
import type { Session } from "./session.ts";

/** Why a check could not run. */
export interface Skipped {
  readonly skipped: string;
}

/** What a reader of a passed check should know: its seed, or what it could not see. */
export interface Noted {
  readonly note: string;
}

export interface Check {
  /** Stable; the mutant that fails this check has the same name. */
  readonly name: string;
  /** The property that the check proves, as a sentence. */
  readonly shows: string;
  readonly role: Role | "both";
  /** Checks that must pass first: when one of them fails, this one proves nothing and is blocked. */
  readonly after?: readonly string[];
  run(session: Session): Promise<Skipped | Noted | undefined>;
}
