import type { z } from "zod";
import type { Actor } from "../../features/imports/index.ts";
import type { ToolRegistry } from "../../features/tools/index.ts";
import type { Area, AuditTarget, Role, StaffSession } from "../../features/staff/index.ts";
import type { Database } from "../../platform/db.ts";

/** The parts of a request, as a schema reads them. */
type Shape = z.ZodObject;

/** An operation as it is on the wire, from which the OpenAPI document is generated. */
export interface OperatorOperation<Query extends Shape = Shape, Body extends Shape = Shape> {
  /** Also the action in the audit log. */
  readonly id: string;
  /** Everything but GET is a change, unless `reads` says otherwise. */
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to the version's base URL; parameters as `:id`. */
  readonly path: string;
  readonly area: Area;
  /** The least role that may call it. */
  readonly role: Role;
  /** Also open to people of partners, each for the own partner alone. Omitted: closed to them. */
  readonly partner?: true;
  /** A POST that changes nothing: what it asks by does not fit into an address. */
  readonly reads?: true;
  /** It changes only what the caller signed in with, so that every role may. */
  readonly own?: true;
  readonly summary: string;
  readonly description: string;
  readonly query?: Query;
  /** The JSON object that it takes; a change also takes a `reason`. */
  readonly body?: Body;
  /** The most that the body may have. Omitted: as elsewhere. */
  readonly maxBodyBytes?: number;
  /** What comes back; null: an empty 204. */
  readonly answer: z.ZodType | null;
  /** When the answer is a 409. */
  readonly conflict?: string;
}

/** Of a command on the database, which no one has signed in to: it may do everything. */
export const commandSession: StaffSession = {
  staffId: "command",
  name: "command",
  role: "admin",
  partnerId: null,
  areas: null,
  tokenId: null,
  sessionId: null,
};

/** Who changes an import, for its own log. */
export const actorOf = ({ staffId }: StaffSession): Extract<Actor, { kind: "operator" }> =>
  staffId === commandSession.staffId ? { kind: "operator" } : { kind: "operator", staffId };

/** The name of who changes something, where it is kept. */
export const changedBy = (session: StaffSession): string => {
  const { staffId } = actorOf(session);
  return staffId === undefined ? "operator" : `operator:${staffId}`;
};

/** A call of a person who may make it, or of a command on the database. */
export interface OperatorCall<Query = unknown, Body = unknown> {
  readonly session: StaffSession;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Of a change: all statements belong to the transaction that also writes the audit log. */
  readonly db: Database;
}

/** What a call leaves in the audit log. */
export interface AuditedCall {
  /** What the call was about; a list leaves it out. */
  readonly target?: AuditTarget;
  /** Of a change: without data of customers. Neither: nothing changed. */
  readonly before?: object | null;
  readonly after?: object | null;
}

/** What came of a call; an expected failure is thrown as a `Problem`. */
export interface CallOutcome extends AuditedCall {
  readonly body: unknown;
  /** Of a change of several: an entry for each, so that the log of each has it. */
  readonly each?: readonly AuditedCall[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every tool. A command loads them, which takes seconds, only for the operations that ask. */
export type Tools = () => ToolRegistry | Promise<ToolRegistry>;

export interface OperatorRoute {
  readonly operation: OperatorOperation;
  /** Of a change: what it asks of the network, before its transaction, which would hold a connection while it waits. */
  prepare?(call: OperatorCall): Promise<unknown>;
  /** `prepared`: what `prepare` returned. */
  handle(call: OperatorCall, prepared?: unknown): Promise<CallOutcome>;
}

/** Ties the handler's types to the operation's schemas. */
export const operatorRoute = <Query extends Shape, Body extends Shape>(
  operation: OperatorOperation<Query, Body>,
  handle: (call: OperatorCall<z.output<Query>, z.output<Body>>) => Promise<CallOutcome>,
): OperatorRoute => ({ operation, handle });

/** The same, for a handler that takes what `prepare` returned. */
export const preparedRoute = <Query extends Shape, Body extends Shape, Prepared>(
  operation: OperatorOperation<Query, Body>,
  prepare: (call: OperatorCall<z.output<Query>, z.output<Body>>) => Promise<Prepared>,
  handle: (call: OperatorCall<z.output<Query>, z.output<Body>>, prepared: Prepared) => Promise<CallOutcome>,
): OperatorRoute => ({ operation, prepare, handle });

export const isChange = ({ method, reads }: Pick<OperatorOperation, "method" | "reads">): boolean =>
  method !== "GET" && reads !== true;
