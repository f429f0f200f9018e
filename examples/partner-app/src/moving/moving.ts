import type { Mode, Portage } from "@portage/sdk";
import type { Store } from "../store/store.ts";

/** The configuration with which customers can move their data to the desk. */
export interface Moving {
  readonly portage: Portage;
  /** The secret with which Portage signs webhooks; during a rotation the old and the new one. */
  readonly webhookSecrets: readonly string[];
  /** The origin of Portage's pages, if its operator allows this desk to frame them; left out: not allowed. */
  readonly framed?: string;
}

export interface MovingNeeds extends Moving {
  readonly store: Store;
  readonly accountName: string;
  readonly publicUrl: string;
  readonly mode: Mode;
  /** The secret with which Portage signs its calls of the destination protocol. */
  readonly secret: string;
  readonly now: () => number;
  readonly changes: Changes;
}

/** Notifies open pages of a changed move. */
export interface Changes {
  tell(moveId: number): void;
  /** Returns a function that stops listening. */
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
