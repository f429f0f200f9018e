/** What happens next, never what HTTP said. */
export type Recovery = "retry" | "skip-record" | "reauthorize" | "abort";

export interface ConnectorErrorDetail {
  readonly recovery: Recovery;
  /** For programs: stable, lower case, `snake_case`. It is kept with the record and counted in reports. */
  readonly code: string;
  /** For people: whole sentences, no secret, no stack, no body of an answer. */
  readonly message: string;
  /** How long the tool asked us to wait; only with `retry`. */
  readonly retryAfterMs?: number;
  /** The HTTP status, where there was one. */
  readonly status?: number;
  /** The setting that is wrong (`token`, `instanceUrl`), where `check` can tell. */
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

/** The code of a write of which nobody can say whether it took effect: it must become the outcome `unknown`. */
export const outcomeUnknown = "outcome_unknown";

/** By its name, not its class: a connector of another package brings a copy of the kit of its own. */
export const isConnectorError = (value: unknown): value is ConnectorError =>
  value instanceof Error && value.name === "ConnectorError" && "recovery" in value;
