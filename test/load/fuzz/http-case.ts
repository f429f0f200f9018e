/** Placeholders for values that only the run knows; each is as long as its value, so that lengths stay right. */
export const placeholders = {
  authorization: "AUTHORIZATION-OF-THE-PARTNER",
  importId: `imp_${"o".repeat(26)}`,
  simulationId: `sim_${"s".repeat(26)}`,
  linkToken: "l".repeat(32),
  /** A destination token, a different one each time. */
  secret: `dst_${"x".repeat(24)}`,
} as const;

/** The possible operations, as paths of the OpenAPI document; null: the bytes may reach any operation. */
export type OperationName =
  | "GET /tools"
  | "POST /imports"
  | "GET /imports"
  | "GET /imports/{id}"
  | "POST /imports/{id}/payment/accept"
  | "POST /imports/{id}/payment/reject"
  | "POST /imports/{id}/cancel"
  | "GET /events"
  | "GET /webhook-deliveries"
  | "POST /webhook-deliveries/{id}/replay";

/** One case. Bytes are a string with a character per byte. */
export interface HttpCase {
  readonly kind: string;
  readonly operation: OperationName | null;
  readonly bytes: string;
  readonly isHead: boolean;
  /** How many answers the server must send; at least one. */
  readonly wanted: number;
  readonly halfClose: boolean;
}

export const utf8Bytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

export interface Message {
  readonly method: string;
  readonly target: string;
  readonly version?: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
}

export const render = ({ method, target, version = "HTTP/1.1", headers, body = "" }: Message): string =>
  [`${method} ${target} ${version}`, ...headers.map(([name, value]) => `${name}: ${value}`), "", body].join(
    "\r\n",
  );
