import type { OperatorSession, OperatorStaffToken } from "@portage/contract/operator";

const isPast = (time: string, now: Date) => Date.parse(time) <= now.getTime();

/** Whether a browser is signed in by it: not once it was ended, nor after its time or a time without a call. */
export const sessionState = (
  { revoked_at, expires_at, idle_at }: Pick<OperatorSession, "revoked_at" | "expires_at" | "idle_at">,
  now: Date,
): "live" | "ended" | "over" => {
  if (revoked_at !== null) return "ended";
  return isPast(expires_at, now) || isPast(idle_at, now) ? "over" : "live";
};

export const tokenState = (
  { revoked_at, expires_at }: Pick<OperatorStaffToken, "revoked_at" | "expires_at">,
  now: Date,
): "valid" | "revoked" | "expired" => {
  if (revoked_at !== null) return "revoked";
  return isPast(expires_at, now) ? "expired" : "valid";
};
