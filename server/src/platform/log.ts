import { traceFields } from "./tracing.ts";
import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";

export type Log = Logger;

/** Logs only identifying fields of an error: a driver's `detail` or a body may hold customer data. */
const errorFields = (error: unknown) =>
  error instanceof Error
    ? {
        type: error.name,
        code: (error as { code?: unknown }).code,
        message: error.message,
        stack: error.stack,
      }
    : { type: typeof error };

/** Which process writes: in one place come the lines of many. */
export interface LogSource {
  readonly service: string;
  readonly instance: string;
}

const options = (level: string, source: LogSource | null): LoggerOptions => ({
  level,
  base: source && { ...source },
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  serializers: { err: errorFields },
  mixin: traceFields,
});

// Synchronous: buffered lines may be lost or out of order when the process exits.
const standardOutput = () => pino.destination({ dest: 1, sync: true });

export const createLog = (
  level: string,
  destination: DestinationStream = standardOutput(),
  source: LogSource | null = null,
): Log => pino(options(level, source), destination);
