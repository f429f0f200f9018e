import type { Portage } from "@portage/sdk";
import type { Store } from "../store/store.ts";

/** What the desk needs to let its customers bring their data. */
export interface Moving {
  readonly portage: Portage;
  /** The secret that Portage's webhooks are signed with; the old and the new one while it is changed. */
  readonly webhookSecrets: readonly string[];
  /** Where Portage's pages come from, if its operator lets this desk show them within its own; left out: it does not. */
  readonly framed?: string;
}

export interface MovingNeeds extends Moving {
  readonly store: Store;
  readonly accountName: string;
  readonly publicUrl: string;
  /** What Portage signs its calls to this desk with: the destination protocol. */
  readonly secret: string;
  readonly now: () => number;
  readonly changes: Changes;
}

/** Tells pages that are open which move has changed. */
export interface Changes {
  tell(moveId: number): void;
  /** Answers how to stop listening. */
  listen(moveId: number, hear: () => void): () => void;
}

export const createChanges = (): Changes => {
  const listeners = new Map<number, Set<() => void>>();
  return {
    tell(moveId) {
      for (const hear of listeners.get(moveId) ?? []) hear();
    },
    listen(moveId, hear) {
      const own = listeners.get(moveId) ?? new Set();
      listeners.set(moveId, own.add(hear));
      return () => {
        own.delete(hear);
        if (own.size === 0) listeners.delete(moveId);
      };
    },
  };
};
