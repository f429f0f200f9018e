import type { ReportedStream } from "../support/customer-client.ts";
import type { Proof } from "../support/proof.ts";
import type { Compared } from "../tools/stand-in/compare.ts";
import type { ChaosFixture } from "./chaos-fixture.ts";
import type { Comparable } from "./destination.ts";

export const clock = (at: number): string => new Date(at).toISOString().slice(11, 23);

export interface Judged {
  readonly lost: number;
  readonly doubled: number;
  readonly stale: number;
  readonly differing: number;
}

/** Compares source and destination by the tool's own data. `before`: see `compareStream`. */
export const compareSides = async (
  proof: Proof,
  destination: Comparable,
  before: number | null,
): Promise<Judged> => {
  const all = await destination.compare(before);
  const streams = destination.streams.map((name) => ({ name, ...(all[name] as Compared) }));
  for (const { name, missingIds, doubledIds, doubledAt, differingIds, ...counts } of streams) {
    proof.say(`${name}: ${JSON.stringify(counts)}`);
    const named = { missing: missingIds, doubled: doubledIds, differing: differingIds };
    for (const [what, ids] of Object.entries(named))
      if (ids.length > 0) proof.say(`  ${what}, such as ${ids.slice(0, 8).join(", ")}`);
    // With the times of the faults this shows which fault caused it.
    for (const times of new Set(Object.values(doubledAt).map((each) => each.map(clock).join(" and "))))
      proof.say(`  doubled: made at ${times}`);
  }
  const sum = (of: (each: Compared) => number) => streams.reduce((total, each) => total + of(each), 0);
  return {
    lost: sum(({ missing }) => missing),
    doubled: sum(({ doubled }) => doubled),
    stale: sum(({ stale }) => stale),
    differing: sum(({ differing }) => differing),
  };
};

const addsUp = ({ source, written, matched, skipped, failed }: ReportedStream) =>
  source === written + matched + skipped + failed;

/** Checks the report for consistency and against the tool's data. */
export const judgeReport = async (
  proof: Proof,
  destination: Comparable,
  chaos: Pick<ChaosFixture, "customer" | "items">,
): Promise<void> => {
  const report = await chaos.customer.report();
  const all = await destination.compare(null);
  const rows = (report ?? []).filter(({ stream }) => destination.streams.includes(stream));
  proof.holds(
    "the report adds up: source = written + matched + skipped + failed",
    rows.length > 0 && rows.every(addsUp),
    rows.filter((row) => !addsUp(row)),
  );
  proof.holds(
    "the report's source count matches the source's own count, deleted rows included",
    rows.length > 0 &&
      rows.every(({ stream, source }) => {
        const { source: now = 0, gone = 0 } = all[stream] ?? {};
        return source >= now && source <= now + gone;
      }),
    rows.map(({ stream, source }) => [stream, source, all[stream]?.source, all[stream]?.gone]),
  );
  const items = await chaos.items();
  const wrong = destination.streams.filter((stream) => {
    const { written = 0, gone = 0 } = all[stream] ?? {};
    const unreported = written - (items[stream] ?? 0);
    return unreported < 0 || unreported > (destination.parts?.includes(stream) ? gone : 0);
  });
  proof.holds(
    "the partner API reports what the destination holds",
    wrong.length === 0,
    wrong.map((stream) => [stream, items[stream], all[stream]?.written]),
  );
};
