import type { FieldChange } from "@portage/connector-kit";
import type { Tallies } from "../chunk/lease.ts";
import type { LedgerState } from "../ledger/row-state.ts";
import { metById, unaccounted } from "../ledger/store-sweep.ts";
import type { LeftKind } from "../chunk/tallies.ts";

export interface TalliedReason {
  readonly state: string;
  readonly code: string;
  readonly count: number;
}

export interface TalliedRow {
  /** Whether the source still had it when it was counted. */
  readonly seen: "source" | "deleted";
  readonly state: LedgerState;
  /** Empty: no reason. */
  readonly code: string;
  readonly count: number;
}

export interface TalliedChange extends FieldChange {
  readonly count: number;
}

/** What partitions have counted, by kind. */
export interface TalliesRead {
  readonly reasons: readonly TalliedReason[];
  readonly changes: readonly TalliedChange[];
  /** How many records had a field changed in this way, however many fields: new records, and rewritten ones. */
  changedRecords(change: FieldChange["change"]): { readonly created: number; readonly again: number };
  /** Kinds of records that are not moved at all. */
  readonly left: readonly LeftKind[];
  readonly rows: readonly TalliedRow[];
  readonly verified: {
    readonly same: number;
    readonly differs: number;
    readonly gone: number;
    /** Another version is in the source by now, or one of the tools did not show it: not compared. */
    readonly changed: number;
    readonly refused: number;
  };
  /** Files whose bytes were compared, and those whose bytes could not be read. */
  readonly verifiedFiles: { readonly same: number; readonly differs: number; readonly unread: number };
  /** How many copies differ in a field. */
  readonly differing: readonly { readonly field: string; readonly count: number }[];
  /** Surplus copies, found by verifying and by settling. */
  readonly doubled: number;
  readonly foundTwice: number;
  /** Seen in the source, and unknown to the ledger. */
  readonly unaccounted: number;
  /** Found in the source by their id, though the sweep did not see them. */
  readonly metById: number;
  /** Kinds beyond the bound, counted together: they can't be distinguished any more. */
  readonly others: number;
  examples(of: string): readonly string[];
}

/** Adds up the tallies of several partitions. */
export const addTallies = (all: readonly Tallies[]): Tallies => {
  const sums = new Map<string, number>();
  for (const tallies of all)
    for (const [key, count] of Object.entries(tallies)) sums.set(key, (sums.get(key) ?? 0) + count);
  return Object.fromEntries(sums);
};

const rest = (parts: readonly string[], from: number) => parts.slice(from).join("|");

export const readTallies = (tallies: Tallies): TalliesRead => {
  const entries = Object.entries(tallies).map(([key, count]) => ({ parts: key.split("|"), count }));
  const of = (what: string) => entries.filter(({ parts }) => parts[0] === what && parts[1] !== "others");
  const count = (...key: readonly string[]) => tallies[["count", ...key].join("|")] ?? 0;
  const changesOf = (what: string) =>
    of(what).map(({ parts, count: n }) => ({
      field: parts[1] ?? "",
      change: (parts[2] ?? "") as FieldChange["change"],
      why: rest(parts, 3),
      count: n,
    }));
  const made = changesOf("change");
  // A record that is written again was counted when it was made: its links are rewritten, or it changed in the source. Only
  // what was never met on a new record is counted by the rewritten ones. So the count is never above the number of records.
  const changes = [
    ...made,
    ...changesOf("change_again").filter(
      (again) =>
        !made.some(
          ({ field, change, why }) => field === again.field && change === again.change && why === again.why,
        ),
    ),
  ];
  return {
    reasons: of("reason").map(({ parts, count: n }) => ({
      state: parts[1] ?? "",
      code: rest(parts, 2),
      count: n,
    })),
    changes,
    changedRecords: (change) => {
      const created = count("changed", change);
      const again = count("changed_again", change);
      // At least as many as the most changed field: kinds beyond the bound are counted together.
      const most = made.reduce((n, each) => (each.change === change ? Math.max(n, each.count) : n), 0);
      return { created: Math.max(created, most), again };
    },
    left: of("left").map(({ parts, count: n }) => ({
      code: parts[1] as LeftKind["code"],
      stream: parts[2] ?? "",
      count: parts[3] === "untold" ? null : n,
    })),
    rows: of("count").flatMap(({ parts, count: n }): TalliedRow[] =>
      parts[1] === "row"
        ? [
            {
              seen: parts[2] as TalliedRow["seen"],
              state: parts[3] as LedgerState,
              code: rest(parts, 4),
              count: n,
            },
          ]
        : [],
    ),
    verified: {
      same: count("verified", "same"),
      differs: count("verified", "differs"),
      gone: count("verified", "gone"),
      changed: count("verified", "changed"),
      refused: count("verified", "refused"),
    },
    verifiedFiles: {
      same: count("verified_file", "same"),
      differs: count("verified_file", "differs"),
      unread: count("verified_file", "refused") + count("verified_file", "unreadable"),
    },
    differing: of("differs").map(({ parts, count: n }) => ({ field: rest(parts, 1), count: n })),
    doubled: count("verified", "doubled"),
    foundTwice: count("found_twice"),
    unaccounted: count(unaccounted),
    metById: count(metById),
    others: entries.reduce((sum, { parts, count: n }) => (parts[1] === "others" ? sum + n : sum), 0),
    examples: (kind) =>
      entries.flatMap(({ parts }) => (parts[0] === "example" && parts[1] === kind ? [rest(parts, 2)] : [])),
  };
};
