import type {
  WizardGathered,
  WizardMapping,
  WizardMappingCurrent,
  WizardMappingProblem,
  WizardMappingRefused,
  WizardMatching,
  WizardSavedMapping,
} from "@portage/contract/wizard";
import type { Client } from "../api/client.ts";
import type { Problem } from "../../client/problem.ts";
import { changesBetween, type Merge, merge } from "./mapping-changes.ts";

export type Saving =
  | { readonly kind: "saved" }
  /** Edited; the save is scheduled. */
  | { readonly kind: "changed" }
  | { readonly kind: "saving" }
  | { readonly kind: "invalid"; readonly problems: readonly WizardMappingProblem[] }
  /** Another person changed the same decisions: nothing is saved until the customer chooses a version. */
  | { readonly kind: "conflict"; readonly merge: Merge; readonly current: WizardMappingCurrent }
  | { readonly kind: "failed"; readonly problem: Problem };

export interface ReadyMatching {
  readonly kind: "ready";
  readonly facts: WizardMatching["facts"];
  /** 0: never saved. */
  readonly revision: number;
  readonly mapping: WizardMapping;
  readonly saving: Saving;
  readonly warnings: readonly WizardMappingProblem[];
  /** How many changes of another person were merged in. */
  readonly joined: number;
  /** Incremented each time both tools are read. */
  readonly reading: number;
}

export type MatchingState =
  | { readonly kind: "gathering" }
  | { readonly kind: "failed"; readonly problem: Problem }
  | ReadyMatching;

export interface MatchingStore {
  state(): MatchingState;
  subscribe(listener: () => void): () => void;
  /** Loads the mapping, unless there are unsaved edits. */
  open(): Promise<void>;
  /** Reads both tools again. */
  readAgain(): Promise<void>;
  edit(change: (mapping: WizardMapping) => WizardMapping): void;
  /** Saves immediately. False: the save failed. */
  flush(): Promise<boolean>;
  settle(whose: "mine" | "theirs"): Promise<void>;
}

const pauseMs = 800;
const againMs = 5_000;

const decided = ({ revision, mapping, suggested }: WizardMatching): WizardMapping =>
  revision > 0 ? mapping : (suggested ?? mapping);

const isCurrent = (value: unknown): value is WizardMappingCurrent =>
  typeof value === "object" && value !== null && "revision" in value && "mapping" in value;

/** Holds the mapping during editing: saves automatically and never overwrites changes of another person. */
export const createMatchingStore = (client: Client): MatchingStore => {
  let state: MatchingState = { kind: "gathering" };
  /** The saved mapping that the edits are based on. */
  let base: WizardMapping | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> | null = null;
  let opening: Promise<void> | null = null;
  let reading = 0;
  const listeners = new Set<() => void>();
  const set = (next: MatchingState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const patch = (change: Partial<ReadyMatching>) => {
    if (state.kind === "ready") set({ ...state, ...change });
  };
  const isDirty = () =>
    state.kind === "ready" &&
    base !== null &&
    state.mapping !== base &&
    changesBetween(base, state.mapping).length > 0;

  const gather = async (anew: boolean): Promise<Problem | null> => {
    for (;;) {
      const path = anew ? "/mapping/facts?anew=true" : "/mapping/facts";
      const outcome = await client.request<WizardGathered>(path, { method: "POST" });
      if (outcome.kind !== "ok") return outcome;
      if (outcome.value.gathered) return null;
    }
  };

  const load = async (anew: boolean) => {
    const problem = await gather(anew);
    const outcome = problem ?? (await client.request<WizardMatching>("/mapping"));
    if (outcome.kind !== "ok") {
      if (state.kind !== "ready" || anew) set({ kind: "failed", problem: outcome });
      return;
    }
    if (isDirty()) return;
    const { facts, revision } = outcome.value;
    const mapping = decided(outcome.value);
    base = mapping;
    // Keep the lists on the page, unless people and fields may have changed.
    if (anew || state.kind !== "ready") reading += 1;
    const fresh = { saving: { kind: "saved" }, warnings: [], joined: 0, reading } as const;
    set({ kind: "ready", facts, revision, mapping, ...fresh });
  };

  const put = async (sent: WizardMapping, based: number) => {
    patch({ saving: { kind: "saving" } });
    const body = { based, mapping: sent };
    const outcome = await client.request<WizardSavedMapping>("/mapping", { method: "PUT", body });
    if (state.kind !== "ready" || base === null) return;
    if (outcome.kind === "ok") {
      base = sent;
      const { revision, warnings } = outcome.value;
      patch({ revision, warnings, saving: { kind: isDirty() ? "changed" : "saved" } });
    } else if (outcome.kind === "refused" && isCurrent(outcome.current)) {
      join(base, state.mapping, outcome.current);
    } else if (outcome.kind === "invalid") {
      const { problems = [] } = outcome.body as Partial<WizardMappingRefused>;
      patch({ saving: { kind: "invalid", problems } });
    } else {
      patch({ saving: { kind: "failed", problem: outcome } });
      if (outcome.kind === "offline") schedule(againMs);
    }
  };

  /** Merges changes that do not conflict; leaves conflicts to the customer. */
  const join = (from: WizardMapping, mine: WizardMapping, current: WizardMappingCurrent) => {
    const merged = merge(from, mine, current.mapping);
    if (merged.both.length > 0) return patch({ saving: { kind: "conflict", merge: merged, current } });
    base = current.mapping;
    const saved = { kind: merged.mine.length > 0 ? "changed" : "saved" } as const;
    patch({ mapping: merged.apart, revision: current.revision, joined: merged.theirs.length, saving: saved });
  };

  /** One save at a time; edits made meanwhile go with the next. */
  const save = async (): Promise<void> => {
    clearTimeout(timer);
    while (saving) await saving;
    if (state.kind !== "ready" || state.saving.kind === "conflict") return;
    if (!isDirty() && state.revision > 0) return patch({ saving: { kind: "saved" } });
    saving = put(state.mapping, state.revision).finally(() => {
      saving = null;
    });
    await saving;
    if (state.kind === "ready" && state.saving.kind === "changed") await save();
  };
  const schedule = (afterMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), afterMs);
  };

  const open = (anew: boolean) => {
    opening ??= load(anew).finally(() => {
      opening = null;
    });
    return opening;
  };
  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    open: async () => {
      if (isDirty()) return;
      if (state.kind === "failed") set({ kind: "gathering" });
      await open(false);
    },
    readAgain: async () => {
      if (isDirty()) await save();
      if (isDirty()) return;
      set({ kind: "gathering" });
      await open(true);
    },
    edit: (change) => {
      if (state.kind !== "ready") return;
      const mapping = change(state.mapping);
      if (state.saving.kind === "conflict" && base) {
        const { current } = state.saving;
        patch({
          mapping,
          saving: { kind: "conflict", current, merge: merge(base, mapping, current.mapping) },
        });
        return;
      }
      patch({ mapping, saving: state.saving.kind === "saving" ? state.saving : { kind: "changed" } });
      schedule(pauseMs);
    },
    flush: async () => {
      await save();
      return state.kind === "ready" && state.saving.kind === "saved";
    },
    settle: async (whose) => {
      if (state.kind !== "ready" || state.saving.kind !== "conflict") return;
      const { merge: merged, current } = state.saving;
      base = current.mapping;
      const mapping = whose === "mine" ? merged.withMine : merged.apart;
      patch({ mapping, revision: current.revision, saving: { kind: "changed" } });
      await save();
    },
  };
};
