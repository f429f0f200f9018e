import { type AccountState, countingLimits, sides } from "../state/account-state.ts";
import type { ProcessReport } from "./advance.ts";

const tellsNothing = ({ refused, headers, pauseUntil, circuit, isLeaving, limits }: ProcessReport) =>
  !refused &&
  Object.keys(headers).length === 0 &&
  pauseUntil === 0 &&
  !circuit &&
  !isLeaving &&
  limits.length === 0;

/** Whether the row of an account without limits is already accurate, so that there is nothing to write. */
export const isCalm = (state: AccountState, report: ProcessReport, nowMs: number): boolean => {
  const me = state.members[report.process];
  if (!me || !tellsNothing(report) || countingLimits(state, report.limits).length > 0) return false;
  if (state.refused || state.circuit || state.pausedUntil > nowMs) return false;
  return sides.every((side) => {
    const enough = Math.min(report.places[side].want, report.concurrency);
    const others = Object.values(state.members).filter((member) => member !== me);
    return (
      me.places[side].have >= enough &&
      others.every(({ places }) => places[side].have >= Math.min(places[side].want, report.concurrency))
    );
  });
};
