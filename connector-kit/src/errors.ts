/** What the engine does next, independent of the HTTP status. */
export type Recovery = "retry" | "skip-record" | "reauthorize" | "abort";

export interface ConnectorErrorDetail {
  readonly recovery: Recovery;
  /** For programs: stable, lower case, `snake_case`. The ledger stores it with the record; reports count it. */
  readonly code: string;
  /** For people: whole sentences, no secret, no stack, no body of an answer. */
  readonly message: string;
  /** How long the tool asks us to wait; only with `retry`. */
  readonly retryAfterMs?: number;
  /** The HTTP status, if there was one. */
  readonly status?: number;
  /** The wrong setting (`token`, `instanceUrl`), if `check` knows it. */
  readonly setting?: string;
  readonly cause?: unknown;
}

/** The only error that a connector throws on purpose. Any other one is a bug in the connector and aborts the run. */
export class ConnectorError extends Error {
  override readonly name = "ConnectorError";
  readonly recovery: Recovery;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  readonly setting: string | undefined;

  constructor(detail: ConnectorErrorDetail) {
    super(detail.message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.recovery = detail.recovery;
    this.code = detail.code;
    this.retryAfterMs = detail.retryAfterMs;
    this.status = detail.status;
    this.setting = detail.setting;
  }
}

/** The code of a write that may or may not have taken effect: it must become the outcome `unknown`. */
export const outcomeUnknown = "outcome_unknown";

/** Codes of answers that are hardly the tool's own: a maintenance page, a proxy's sign-in page, an expired certificate. */
const oddAnswers = new Set([
  "unexpected_answer",
  "unexpected_status",
  "tls_failed",
  "too_many_redirects",
  "undeclared_host",
]);

/**
 * Whether the error passes like an outage. It aborts a check of the settings, where it means a wrong address; a run that
 * has talked to the tool before retries.
 */
export const isOddAnswer = ({ code }: Pick<ConnectorError, "code">): boolean => oddAnswers.has(code);

/** By name, not by class: a connector from another package brings its own copy of the kit. */
export const isConnectorError = (value: unknown): value is ConnectorError =>
  value instanceof Error && value.name === "ConnectorError" && "recovery" in value;
