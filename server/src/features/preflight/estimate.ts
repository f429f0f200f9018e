import type { Manifest } from "@portage/connector-kit";
import type { StreamLook } from "./look-at-streams.ts";

/** The minimum work of a full run. */
export interface Estimate {
  /** The number of records to copy; null: not all streams report a count. */
  readonly records: number | null;
  readonly requests: { readonly source: number; readonly destination: number };
  /** From the tools' limits per minute; null: no limit is known. */
  readonly durationMs: number | null;
}

/** How fast each side can be called; null: no limit is known. */
export interface Rates {
  readonly sourcePerMinute: number | null;
  readonly destinationPerMinute: number | null;
  /** Both sides are one account of one tool, whose quota they share. */
  readonly shared: boolean;
}

/** The most copies of a stream that a run reads back. */
const verifiedAtMost = 10_000;

const pagesOf = ({ count, pageSize, perParent }: StreamLook, countOf: (stream: string) => number) => {
  const pages = pageSize === null || count === null ? 1 : Math.ceil(count / pageSize);
  return perParent === null ? pages : Math.max(countOf(perParent), pages);
};

const minutes = (requests: number, perMinute: number | null) =>
  perMinute === null || perMinute <= 0 ? null : requests / perMinute;

/** The slowest of a tool's own quotas. */
export const declaredPerMinute = ({ limits }: Pick<Manifest, "limits">): number | null =>
  limits.length === 0 ? null : Math.min(...limits.map(({ requests, perMs }) => (requests / perMs) * 60_000));

/** A run reads each page twice, by copy and by sweep; it writes each batch and reads it back, up to a limit. */
export const estimateRun = (looks: readonly StreamLook[], rates: Rates): Estimate => {
  const copied = looks.filter(({ to }) => to !== null);
  const countOf = (name: string) => looks.find(({ stream }) => stream.name === name)?.count ?? 0;
  const sum = (of: (look: StreamLook) => number) => copied.reduce((total, look) => total + of(look), 0);
  const files = sum(({ stream, count }) => (stream.kind === "file" ? (count ?? 0) : 0));
  const source = sum((look) => 2 * pagesOf(look, countOf)) + files;
  const destination =
    files +
    sum(({ to, count }) => {
      const size = Math.max(1, to?.batchSize ?? 1);
      const records = count ?? 0;
      return Math.ceil(records / size) + Math.ceil(Math.min(records, verifiedAtMost) / size);
    });
  const each = rates.shared
    ? [minutes(source + destination, rates.sourcePerMinute)]
    : [minutes(source, rates.sourcePerMinute), minutes(destination, rates.destinationPerMinute)];
  const known = each.filter((value) => value !== null);
  return {
    records: copied.some(({ count }) => count === null) ? null : sum(({ count }) => count ?? 0),
    requests: { source, destination },
    durationMs: known.length === 0 ? null : Math.ceil(Math.max(...known) * 60_000),
  };
};
