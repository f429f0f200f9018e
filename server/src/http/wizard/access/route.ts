import type { ZodType } from "zod";
import type { ImportRecord } from "../../../features/imports/index.ts";
import type { May, Session } from "../../../features/links/index.ts";
import type { Answer } from "../../answer.ts";
import type { Query } from "../../query.ts";

export type AttemptKind = "connect" | "pay";

/** An authenticated request of the customer, or of an admin with a link to connect one side. */
export interface WizardCall<B> {
  /** The import of the link; open, unless the route has `evenClosed`. */
  readonly import: ImportRecord;
  /** Null: the request carries the link's token itself. */
  readonly session: Session | null;
  readonly may: May;
  /** A path parameter; "" if the path has none of that name. */
  param(name: string): string;
  readonly query: Query;
  readonly body: B;
  /** The body as it arrives, for routes that take bytes. Ending the iteration leaves the connection open. */
  bytes(): AsyncIterable<Buffer>;
}

/** One operation of the customer's API. */
export interface WizardRoute<B = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to the import's address: "" or "/connections/:side". */
  readonly path: string;
  /** The schema of the JSON body; messages are predicates. Omitted: the route ignores the body. */
  readonly body?: ZodType<B>;
  /** Serves cancelled and archived imports too. Omitted: the gate rejects them. */
  readonly evenClosed?: true;
  /** Open to an admin who may connect one side. `own_side`: only if `:side` is that side. Omitted: closed to admins. */
  readonly openToAdmin?: "always" | "own_side";
  /** Makes Portage call the tools or the payment provider: limited per import and minute. */
  readonly isAttempt?: AttemptKind;
  /** Raises the limit on the body's size. */
  readonly maxBodyBytes?: number;
  // A method, not a property: its bivariance lets routes with different bodies share one list.
  handle(call: WizardCall<B>): Promise<Answer>;
}
