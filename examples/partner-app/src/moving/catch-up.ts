import { PortageError } from "@portage/sdk";
import { applyEvent, caughtUpTo, setCaughtUp } from "../store/store-moves.ts";
import type { MovingNeeds } from "./moving.ts";

type Needs = Pick<MovingNeeds, "portage" | "store" | "changes">;

const catchUpFrom = async ({ portage, store, changes }: Needs, after: string | undefined) => {
  for await (const event of portage.events.list({ after })) {
    const changed = applyEvent(store, event);
    setCaughtUp(store.database, event.event_id);
    if (changed !== null) changes.tell(changed);
  }
};

/** Reads the events that happened while this desk was unreachable. Events that a webhook delivered change nothing. */
export const catchUp = async (needs: Needs): Promise<void> => {
  const after = caughtUpTo(needs.store.database);
  try {
    await catchUpFrom(needs, after);
  } catch (error) {
    // Offline for more than 30 days: Portage no longer has the last event that we know.
    if (!(error instanceof PortageError) || !error.errors.after || after === undefined) throw error;
    await catchUpFrom(needs, undefined);
  }
};
