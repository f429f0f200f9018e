import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";

export type Log = Logger;

/** Errors are logged by what identifies them; a driver's `detail` or a body may hold a customer's data. */
const errorFields = (error: unknown) =>
  error instanceof Error
    ? {
        type: error.name,
        code: (error as { code?: unknown }).code,
        message: error.message,
        stack: error.stack,
      }
    : { type: typeof error };

const options = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  serializers: { err: errorFields },
});

// Written before the call returns: what is still on its way when a process exits may come out of order, or not at all.
const standardOutput = () => pino.destination({ dest: 1, sync: true });

export const createLog = (level: string, destination: DestinationStream = standardOutput()): Log =>
  pino(options(level), destination);
