import type { ZodType } from "zod";
import type { CallingPartner } from "../../features/partners/index.ts";
import type { Answer, Problem } from "../answer.ts";
import type { Query } from "../query.ts";

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: ZodType;
}

/** Examples of a body, by name. They may contain addresses of this service. */
export type Examples = (publicUrl: string) => Readonly<Record<string, unknown>>;

/** A response of an operation: with a body, an error with its code, or empty. */
export type OperationAnswer =
  | { readonly description: string; readonly schema: ZodType; readonly examples: Examples }
  | { readonly description: string; readonly problem: Problem }
  | { readonly description: string };

/** A request that succeeds in the sandbox, for everyone with a token. */
export interface SampleRequest {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The same call with the SDK, of a client named `portage`. */
  readonly sdk: string;
}

/** An operation as it is on the wire, from which the OpenAPI document is generated. */
export interface Operation {
  readonly id: string;
  readonly method: "GET" | "POST";
  /** Relative to the version's base URL; `:id` is an import's id, unless `idOf` overrides it. */
  readonly path: string;
  readonly idOf?: string;
  readonly tag: "Tools" | "Imports" | "Sponsorship" | "Events";
  readonly summary: string;
  readonly description: string;
  readonly query?: readonly Parameter[];
  readonly headers?: readonly Parameter[];
  /** The schema of the JSON object; omitted: the body is ignored. */
  readonly body?: ZodType;
  /** An empty body counts as `{}`. */
  readonly bodyIsOptional?: true;
  /** Properties that a 422 of this operation lists even if they are valid. */
  readonly errorKeys?: readonly string[];
  /** The operation's own responses; the common ones are added. */
  readonly answers: Readonly<Record<number, OperationAnswer>>;
  readonly sample: SampleRequest;
}

/** A request of an authenticated partner within its rate limit. */
export interface Call {
  readonly partner: CallingPartner;
  readonly requestId: string;
  readonly importId: string;
  readonly query: Query;
  readonly body: object;
  /** The raw body. */
  readonly bodyText: string;
  header(name: string): string | undefined;
}

export interface PartnerRoute {
  readonly operation: Operation;
  handle(call: Call): Promise<Answer>;
}
