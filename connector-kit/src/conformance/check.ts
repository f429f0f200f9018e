import type { Family } from "@portage/contract";
import type { Connector } from "../connector.ts";
import type { Role } from "../manifest.ts";
import type { AccessTokens } from "../http/authorize.ts";
import type { RetryPolicy } from "../http/http-client.ts";
import type { Transport } from "../http/transport.ts";
import type { Session } from "./session.ts";

/** What is examined: a connector with a tool that it can reach, and what only the tool's own side can do or tell. */
export interface Subject<S = unknown> {
  readonly connector: Connector<S>;
  readonly settings: S;
  readonly family: Family;
  readonly transport: Transport;
  readonly tokens?: AccessTokens;
  readonly retry?: Partial<RetryPolicy>;
  /** How long an answer may take. */
  readonly answerMs?: number;
  /** Changes and removes rows of the source behind the connector's back. It should have two pages of something. */
  disturb?(
    stream: string,
    rows: { readonly update: readonly string[]; readonly remove: readonly string[] },
  ): Promise<void>;
  /** How many mails the destination has sent so far. */
  mails?(): Promise<number>;
  /** Characters of the largest text; 1 MB unless told. */
  readonly largeText?: number;
  /** How many plain records are written to each stream; 6 unless told. */
  readonly records?: number;
}

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

export class ConformanceFailure extends Error {
  override readonly name = "ConformanceFailure";
}

export const demand: (condition: unknown, message: string) => asserts condition = (condition, message) => {
  if (!condition) throw new ConformanceFailure(message);
};
