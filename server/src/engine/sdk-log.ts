import type { LoggerTransport } from "@restatedev/restate-sdk";
import type { Log } from "../platform/log.ts";

/** Writes the SDK's log lines to our log, mostly at debug level: it logs every invocation. */
export const sdkLog =
  (log: Log): LoggerTransport =>
  ({ level, replaying, context }, message, ...others: readonly unknown[]) => {
    if (replaying) return;
    const severity: string = level;
    const fields = {
      invocation: context?.invocationId,
      said: typeof message === "string" ? message.trim().slice(0, 300) : undefined,
      err: others.find((other) => other instanceof Error),
    };
    if (severity === "error") log.error(fields, "restate");
    else if (severity === "warn") log.warn(fields, "restate");
    else log.debug(fields, "restate");
  };
