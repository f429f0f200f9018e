const second = 1_000;
const minute = 60_000;
const hour = 3_600_000;
const day = 86_400_000;

export interface WebhookTimes {
  /** From a failed attempt to the next; after the last of them it is given up. */
  readonly delaysMs: readonly number[];
  /** An answer must have come by then. */
  readonly requestMs: number;
  /** Whoever took a delivery has settled it by then, or is gone. */
  readonly leaseMs: number;
  /** How late the engine may be with a delay before the delivery is taken without it. */
  readonly graceMs: number;
  /** For so long nothing at all got through: the address is disabled. */
  readonly disableAfterMs: number;
}

const usual: WebhookTimes = {
  delaysMs: [
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ],
  requestMs: 10 * second,
  leaseMs: 30 * second,
  graceMs: 3 * second,
  disableAfterMs: 5 * day,
};

/** With the waits of days shortened, for tests; what a receiver may take to answer stays. */
export const webhookTimes = (scale = 1): WebhookTimes => ({
  ...usual,
  delaysMs: usual.delaysMs.map((ms) => ms * scale),
  disableAfterMs: usual.disableAfterMs * scale,
});

const jitter = 0.1;

/** How long to wait after so many failures; null: it is given up. Spread, so that a receiver that is back is not flooded. */
export const nextDelayMs = (
  { delaysMs }: Pick<WebhookTimes, "delaysMs">,
  failures: number,
  random: () => number = Math.random,
): number | null => {
  const delayMs = delaysMs[failures - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 - jitter + 2 * jitter * random()));
};
