import type { Database } from "../../platform/db.ts";
import { orderMail } from "../mail-outbox/index.ts";
import { moveImport } from "./move.ts";
import { bothConnected, type ImportState, isPaid } from "./state.ts";
import { lockImport } from "./store-changes.ts";
import {
  deleteSchedule,
  findSchedule,
  listDueSchedules,
  listToRemind,
  markReminded,
  saveSchedule,
  type Schedule,
  takeDue,
} from "./store-schedule.ts";

type Scheduled =
  | { readonly kind: "scheduled"; readonly schedule: Schedule }
  | { readonly kind: "missing" }
  /** The full migration can't start in this state. */
  | { readonly kind: "refused"; readonly state: ImportState };

const mayStart = (state: ImportState) =>
  state.closed === null && state.status === "in_preparation" && isPaid(state) && bothConnected(state);

/** Plans the start of the full migration, or changes its time. */
export const scheduleStart = (
  db: Database,
  importId: string,
  wanted: Pick<Schedule, "startsAt" | "timeZone">,
): Promise<Scheduled> =>
  db.sql.transaction().execute(async (tx): Promise<Scheduled> => {
    const locked = await lockImport(tx, importId);
    if (!locked || locked.state.closed !== null) return { kind: "missing" };
    if (!mayStart(locked.state)) return { kind: "refused", state: locked.state };
    await saveSchedule(tx, importId, wanted);
    const schedule = await findSchedule(tx, importId);
    if (!schedule) throw new Error("Schedule is missing right after its insert");
    return { kind: "scheduled", schedule };
  });

/** Takes the plan back. False: there is none, because it has started or was never made. */
export const cancelSchedule = (db: Database, importId: string): Promise<boolean> =>
  db.sql.transaction().execute(async (tx) => {
    // A start holds this lock: afterwards either the plan or the start is gone.
    await lockImport(tx, importId);
    return deleteSchedule(tx, importId);
  });

const batchSize = 50;
/** How long before the start the customer gets a mail. */
const remindBeforeMs = 3_600_000;

/**
 * Starts what is due and reminds of what will be soon. Any number of workers may run it: the row in PostgreSQL decides. The start
 * itself is an effect in the outbox, after the checks of a pre-flight. Returns how many it handled.
 */
export const runScheduledStarts =
  (db: Database, beforeMs: number = remindBeforeMs) =>
  async (): Promise<number> => {
    const failures: unknown[] = [];
    /** One that fails must not keep others from their time. */
    const each = async (importIds: readonly string[], handle: (importId: string) => Promise<void>) => {
      for (const importId of importIds)
        await handle(importId).catch((error: unknown) => failures.push(error));
    };
    const due = await listDueSchedules(db, batchSize);
    await each(due, async (importId) => {
      const moved = await moveImport(
        db,
        { type: "start_due" },
        { importId, partnerId: null, actor: { kind: "system" }, alongside: (tx) => takeDue(tx, importId) },
      );
      if (moved.kind === "moved") return;
      // Whatever ended the preparation removes the plan with it: this row would be left over from an older release.
      await db.sql.transaction().execute(async (tx) => {
        const locked = await lockImport(tx, importId);
        if (locked && locked.state.closed === null && locked.state.status === "in_preparation") return;
        await deleteSchedule(tx, importId);
      });
    });
    const soon = await listToRemind(db, beforeMs, batchSize);
    await each(soon, (importId) =>
      db.sql.transaction().execute(async (tx) => {
        const reminded = await markReminded(tx, importId, beforeMs);
        if (!reminded) return;
        const about = `${reminded.startsAt.toISOString()} ${reminded.timeZone}`;
        await orderMail(tx, {
          importId,
          occasion: "starts_soon",
          about,
          side: null,
          change: reminded.revision,
        });
      }),
    );
    if (failures.length > 0) throw new AggregateError(failures, "Planned starts failed");
    return due.length + soon.length;
  };
