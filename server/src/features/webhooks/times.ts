const second = 1_000;
const minute = 60_000;
const hour = 3_600_000;
const day = 86_400_000;

export interface WebhookTimes {
  /** The delays from a failed attempt to the next; after the last one the delivery fails. */
  readonly delaysMs: readonly number[];
  /** The deadline for an answer. */
  readonly requestMs: number;
  /** The lease of a taken delivery: its worker has settled it by then, or is gone. */
  readonly leaseMs: number;
  /** How late the engine may be with a retry before another worker takes the delivery. */
  readonly graceMs: number;
  /** After this long without a success the target is disabled. */
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

/** Scales the long delays, for tests; the deadline for an answer stays. */
export const webhookTimes = (scale = 1): WebhookTimes => ({
  ...usual,
  delaysMs: usual.delaysMs.map((ms) => ms * scale),
  disableAfterMs: usual.disableAfterMs * scale,
});

const jitter = 0.1;

/** The delay after this many failures; null: give up. Jitter keeps a recovered receiver from being flooded. */
export const nextDelayMs = (
  { delaysMs }: Pick<WebhookTimes, "delaysMs">,
  failures: number,
  random: () => number = Math.random,
): number | null => {
  const delayMs = delaysMs[failures - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 - jitter + 2 * jitter * random()));
};

/** After a rotation the old secret signs as well, until receivers have the new one. */
export const secretOverlapMs = 24 * 3_600_000;
