/** A worker that can't be reached is tried for about a minute, as long as it takes to start one. */
export const workerRetries = {
  initialInterval: 200,
  exponentiationFactor: 2,
  maxInterval: 5_000,
  maxAttempts: 15,
  onMaxAttempts: "kill",
} as const;
