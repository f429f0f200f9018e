/**
 * The idempotency key of what a person is about to do: one for all presses of the button, so that a change whose answer was lost is
 * not made twice. The server keeps the keys of changes that were made, so one that it refused can be corrected under the same key.
 */
export const newChangeKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
