import type { SchedulePlan, WizardSchedule } from "@portage/contract/wizard";
import { z } from "zod";
import {
  cancelSchedule,
  findSchedule,
  isTimeZone,
  localTimePattern,
  momentOf,
  type Schedule,
  scheduleStart,
  whyNotStarted,
} from "../../../features/imports/index.ts";
import type { Database } from "../../../platform/db.ts";
import { invalid, ok, Problem } from "../../answer.ts";
import { importEnded } from "../access/gate.ts";
import type { WizardRoute } from "../access/route.ts";

/** Sign-ins may expire, and prices change: a plan for much later would promise too much. */
const maxAheadMs = 14 * 24 * 3_600_000;

const body = z.object({
  local: z.string().regex(localTimePattern, { error: "must be a date and a time" }),
  timeZone: z.string().max(100).refine(isTimeZone, { error: "must be a time zone" }),
}) satisfies z.ZodType<SchedulePlan>;

const stateNames = { waiting: "planned", due: "starting", missed: "missed" } as const;

const reasonOf = (because: string | null) => {
  if (because === null) return null;
  if (because === "unpaid") return "unpaid";
  return because.endsWith("_sign_in") ? "sign_in" : "blocked";
};

const scheduleJson = (found: Schedule | undefined): WizardSchedule => ({
  schedule: found
    ? {
        startsAt: found.startsAt.toISOString(),
        timeZone: found.timeZone,
        state: stateNames[found.state],
        missedBecause: reasonOf(found.missedBecause),
      }
    : null,
  latest: new Date(Date.now() + maxAheadMs).toISOString(),
});

/** The customer plans the start of the full move, changes the time, or takes it back. */
export const scheduleRoutes = (db: Database): readonly WizardRoute[] => [
  {
    method: "GET",
    path: "/schedule",
    handle: async ({ import: { id } }) => ok(scheduleJson(await findSchedule(db.sql, id))),
  },
  {
    method: "PUT",
    path: "/schedule",
    body,
    handle: async ({ import: { id }, body: { local, timeZone } }) => {
      const startsAt = momentOf(local, timeZone);
      if (startsAt === null) return invalid({ local: ["must be a date and a time"] });
      if (startsAt.getTime() <= Date.now()) return invalid({ local: ["must be in the future"] });
      if (startsAt.getTime() > Date.now() + maxAheadMs)
        return invalid({ local: ["must be within the next 14 days"] });
      const planned = await scheduleStart(db, id, { startsAt, timeZone });
      if (planned.kind === "missing") throw importEnded();
      if (planned.kind === "refused")
        throw new Problem("conflict", whyNotStarted("full", planned.state, false));
      return ok(scheduleJson(planned.schedule));
    },
  } satisfies WizardRoute<SchedulePlan>,
  {
    method: "DELETE",
    path: "/schedule",
    handle: async ({ import: { id } }) => {
      if (!(await cancelSchedule(db, id)))
        throw new Problem("conflict", "No start is planned: it has begun, or was taken back already.");
      return ok(scheduleJson(undefined));
    },
  },
];
