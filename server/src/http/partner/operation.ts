import type { ZodType } from "zod";
import type { Partner } from "../../features/partners/index.ts";
import type { Answer } from "../answer.ts";
import type { Query } from "../query.ts";

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: ZodType;
}

/** An operation as it is on the wire; the OpenAPI document is made from it. */
export interface Operation {
  readonly id: string;
  readonly method: "GET" | "POST";
  /** Relative to the version's address; `:id` is an import's id, unless `idOf` says otherwise. */
  readonly path: string;
  readonly idOf?: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: readonly Parameter[];
  readonly headers?: readonly Parameter[];
  /** A JSON object is read; without this a body is ignored. */
  readonly body?: ZodType;
  /** Properties that a 422 of this operation names even when they are fine. */
  readonly errorKeys?: readonly string[];
  /** The answers of this operation itself; those that every operation can give are added. */
  readonly answers: Readonly<Record<number, { readonly description: string; readonly schema?: ZodType }>>;
}

/** A request of a partner who is who it says, within its limit. */
export interface Call {
  readonly partner: Partner;
  readonly importId: string;
  readonly query: Query;
  /** The query as it was sent, for links to the next page. */
  readonly target: string;
  readonly body: object;
  /** The body as it was sent. */
  readonly bodyText: string;
  header(name: string): string | undefined;
}

export interface PartnerRoute {
  readonly operation: Operation;
  handle(call: Call): Promise<Answer>;
}
