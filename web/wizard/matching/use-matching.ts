import { useEffect, useSyncExternalStore } from "react";
import type { Client } from "../api/client.ts";
import { useClient } from "../api/use-client.tsx";
import { createMatchingStore, type MatchingState, type MatchingStore } from "./matching-store.ts";

/** One store for all screens of an import, so that unsaved edits survive navigation. */
const stores = new WeakMap<Client, MatchingStore>();

const storeOf = (client: Client): MatchingStore => {
  const store = stores.get(client) ?? createMatchingStore(client);
  stores.set(client, store);
  return store;
};

/** Asks for confirmation before the window closes with unsaved edits. */
const useAskBeforeLeaving = (isUnsaved: boolean) => {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
};

export const useMatching = (): { readonly state: MatchingState; readonly store: MatchingStore } => {
  const store = storeOf(useClient());
  const state = useSyncExternalStore(store.subscribe, store.state);
  useEffect(() => void store.open(), [store]);
  useAskBeforeLeaving(state.kind === "ready" && state.saving.kind !== "saved");
  return { state, store };
};
