/** Restate retries an unreachable worker for about a minute, which is long enough to start one. */
export const workerRetries = {
  initialInterval: 200,
  exponentiationFactor: 2,
  maxInterval: 5_000,
  maxAttempts: 15,
  onMaxAttempts: "kill",
} as const;
