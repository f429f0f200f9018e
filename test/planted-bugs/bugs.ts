/** Removes the check of the lease's token from a statement. */
export const unfenced = (text: string): string =>
  text.replace(/\bis_held\((p\.)?lease_token, \$3\)/g, "$3::uuid is not null");

/** Hides from an attempt that commits may be lost. */
export const blind = (text: string): string =>
  text.replace('r.looks_from as "looksFrom"', 'null::integer as "looksFrom"');

/** A known bug, as a change to the source of some modules. Tests and proofs plant it to show that they detect it. */
interface Bug {
  readonly files: readonly string[];
  patch(source: string): string;
}

export const bugs = {
  /** A batch in doubt is taken for not written, without a look at the destination. */
  "skip-settle": {
    files: ["runs/copy/settle-doubt.ts"],
    patch: (source) =>
      source.replace(
        /export const settleDoubt = async [^{]*\{/,
        (head) => `${head} return { kind: "settled", found: 0 };`,
      ),
  },
  /** A worker that lost its lease goes on writing. */
  "skip-epoch": {
    files: [
      "runs/ledger/store-claim.ts",
      "runs/ledger/store-settle.ts",
      "runs/chunk/store-lease.ts",
      "runs/ledger/store-sweep.ts",
    ],
    patch: unfenced,
  },
  /** After a failover or a restore a worker writes without looking records up first. */
  "skip-look-first": { files: ["runs/chunk/store-lease.ts"], patch: blind },
} as const satisfies Record<string, Bug>;

export type BugName = keyof typeof bugs;

export const isBugName = (name: string): name is BugName => Object.hasOwn(bugs, name);
