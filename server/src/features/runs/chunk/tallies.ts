import type { FieldChange } from "@portage/connector-kit";
import type { Tallies } from "./lease.ts";

/** More kinds than a person reads; later ones are counted together. */
const maxKinds = 200;
const longestPart = 160;

const part = (text: string) => text.replaceAll("|", "/").slice(0, longestPart);

/**
 * A kind of record that stays in the source: the destination does not support it, it was not selected, or this account may not
 * read it.
 */
export interface LeftKind {
  readonly stream: string;
  readonly code: "not_supported" | "not_selected" | "not_allowed";
  readonly count: number | null;
}

/** The one counter that starts again: see `refused`. */
const inARow = "refused_in_a_row|";

/** Adds to a partition's counts; the number of kinds stays bounded, whatever tools answer. */
export const createTallies = (before: Tallies) => {
  const counts = new Map(Object.entries(before));
  const examples = new Map<string, number>();
  const kindOf = (of: string) => `example|${part(of)}|`;
  for (const key of counts.keys()) {
    const [what, of = ""] = key.split("|", 2);
    if (what === "example") examples.set(kindOf(of), (examples.get(kindOf(of)) ?? 0) + 1);
  }
  /** Whether the kind is counted by itself. */
  const add = (kind: string, times = 1): boolean => {
    const known = counts.has(kind) || counts.size < maxKinds;
    const key = known ? kind : `${kind.split("|", 1)[0] ?? ""}|others`;
    counts.set(key, (counts.get(key) ?? 0) + times);
    return known;
  };
  const example = (of: string, sourceId: string, most: number) => {
    const kind = kindOf(of);
    const there = examples.get(kind) ?? 0;
    if (there >= most || counts.has(`${kind}${sourceId}`)) return;
    examples.set(kind, there + 1);
    counts.set(`${kind}${sourceId}`, 1);
  };
  return {
    /**
     * The changed fields of one record. The record counts once per kind of change, and separately if its copy existed
     * before: it was probably counted then.
     */
    changes: (all: readonly FieldChange[], isAgain: boolean) => {
      if (all.length === 0) return;
      const again = isAgain ? "_again" : "";
      for (const kind of new Set(all.map(({ change }) => change))) add(`count|changed${again}|${kind}`);
      for (const { field, change, why } of all) add(`change${again}|${part(field)}|${change}|${part(why)}`);
    },
    /** Why a record was not written. */
    reason: (state: string, code: string, times = 1) => add(`reason|${state}|${part(code)}`, times),
    count: (what: string, times = 1) => add(`count|${what}`, times),
    /** A write that the destination refused. */
    refused: (code: string) => {
      const key = `${inARow}${part(code)}`;
      for (const other of counts.keys()) if (other.startsWith(inARow) && other !== key) counts.delete(other);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    /** A write that it took: the refusals so far concerned single records. */
    taken: () => {
      for (const key of counts.keys()) if (key.startsWith(inARow)) counts.delete(key);
    },
    /** How many writes were refused for the same reason, with none taken in between; null: none. */
    refusedInARow: (): { readonly code: string; readonly count: number } | null => {
      for (const [key, count] of counts)
        if (key.startsWith(inARow)) return { code: key.slice(inARow.length), count };
      return null;
    },
    /** A kind of record that is not moved at all, and how many the source has of it; null: unknown. */
    left: ({ code, stream, count }: LeftKind) =>
      add(`left|${code}|${part(stream)}|${count === null ? "untold" : "counted"}`, count ?? 1),
    /** The fields in which a copy differs from its record; each with its first few records. */
    differing: (fields: readonly string[], sourceId: string, most: number) => {
      for (const field of fields)
        if (add(`differs|${part(field)}`)) example(`differs/${part(field)}`, sourceId, most);
    },
    /** A record that a person may want to look at: the first few of each kind. */
    example,
    all: (): Tallies => Object.fromEntries(counts),
  };
};

export type TallyBook = ReturnType<typeof createTallies>;
