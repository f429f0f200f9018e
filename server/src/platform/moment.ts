/** A moment on both clocks of this process. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export const momentNow = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/**
 * The time since a moment, by whichever clock went further: the monotonic one stands still while a virtual machine is
 * suspended, and the other can be set back. A deadline that passes too early costs a retry, one that passes too late a duplicate.
 */
export const elapsedMs = ({ monotonicMs, wallMs }: Moment): number =>
  Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
