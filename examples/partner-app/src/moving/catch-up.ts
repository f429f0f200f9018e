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

/** Reads what happened while this desk could not be reached. What a webhook told already changes nothing. */
export const catchUp = async (needs: Needs): Promise<void> => {
  const after = caughtUpTo(needs.store.database);
  try {
    await catchUpFrom(needs, after);
  } catch (error) {
    // Away for more than 30 days: the last event that we know is not kept any more.
    if (!(error instanceof PortageError) || !error.errors.after || after === undefined) throw error;
    await catchUpFrom(needs, undefined);
  }
};
