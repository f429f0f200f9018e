import type { ZodType } from "zod";
import type { ImportRecord } from "../../../features/imports/index.ts";
import type { May, Session } from "../../../features/links/index.ts";
import type { Answer } from "../../answer.ts";
import type { Query } from "../../query.ts";

/** A request of somebody who holds the customer's link. */
export interface WizardCall<B> {
  /** The very one that the link is for, and open unless the route is for closed ones, too. */
  readonly import: ImportRecord;
  /** Null: came with the link's token itself. */
  readonly session: Session | null;
  readonly may: May;
  /** Another part of the path that varies; "" where the path has none of that name. */
  param(name: string): string;
  readonly query: Query;
  readonly body: B;
}

/** One operation of the customer's API. */
export interface WizardRoute<B = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to the import's address: "" or "/connections/:side". */
  readonly path: string;
  /** What a JSON body must be; messages are predicates. Without this a body is ignored. */
  readonly body?: ZodType<B>;
  /** Also after the import was cancelled or archived. Left out: nobody is let in any more. */
  readonly evenClosed?: true;
  /** For whoever was only asked to connect one side. Left out: not at all. `own_side`: where `:side` is that one. */
  readonly openToAdmin?: "always" | "own_side";
  /** For bodies that are larger than others may be. */
  readonly mostBodyBytes?: number;
  // A method, not a property: routes with different bodies stand in one list.
  handle(call: WizardCall<B>): Promise<Answer>;
}
