import type { Family } from "@portage/contract";
import type { Subject } from "@portage/connector-kit/conformance";
import type { Transport } from "@portage/connector-kit/http";

/** What answers a connector during the conformance suite. */
export type Counterpart =
  /** `version`: its beginning, as the documentation names it. */
  | { readonly kind: "real server"; readonly product: string; readonly version: string }
  /** `judged`: it holds every request to the vendor's description, and reports breaches. */
  | { readonly kind: "stand-in"; readonly judged: boolean }
  | { readonly kind: "example"; readonly product: string }
  | { readonly kind: "files" };

/** The judgement of a vendor's stand-in, so far. */
export interface StandInReport {
  /** Requests and answers that a schema of the vendor's description held. */
  readonly held: { readonly requests: number; readonly answers: number };
  readonly breaches: readonly { readonly law: string; readonly operation: string; readonly detail: string }[];
  /** Answers of the stand-in itself that its description does not allow. */
  readonly lies: readonly string[];
  /** Requests and answers without a schema, with how often. */
  readonly unvalidated: ReadonlyMap<string, number>;
}

export interface StartedSuite {
  /** The version of a real server. */
  readonly version?: string;
  subject(family: Family): Subject | Promise<Subject>;
  /** Of a vendor's stand-in. */
  report?(): StandInReport;
  stop(): Promise<unknown>;
}

/** How a connector's conformance suite runs: its tests and `npm run prove:tools` use the same. */
export interface ToolSuite {
  /** The connector's name. */
  readonly tool: string;
  readonly counterpart: Counterpart;
  /** In this order, on one server. */
  readonly runs: readonly { readonly label: string; readonly family: Family }[];
  /** Laws that the suite itself breaks, whatever the connector does, and why. */
  readonly excused?: Readonly<Record<string, string>>;
  start(transport: Transport): Promise<StartedSuite>;
}

/** The breaches that are the connector's own. */
export const ownBreaches = (
  { excused = {} }: Pick<ToolSuite, "excused">,
  { breaches }: StandInReport,
): StandInReport["breaches"] => breaches.filter(({ law }) => !(law in excused));
