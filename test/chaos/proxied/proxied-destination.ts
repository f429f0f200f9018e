import type { Compared } from "../../tools/stand-in/compare.ts";
import type { StandInControl } from "../../tools/stand-in/control-client.ts";
import { readSign } from "../../tools/stand-in/sign-record.ts";
import type { ChaosDestination } from "../destination.ts";
import { compareCopies, type Copy } from "./compare-copies.ts";
import type { FaultProxy } from "./fault-proxy.ts";

/** A row of the tool's own tables, before it is known whose copy it is. */
export interface CopiedRow {
  readonly key: string | null;
  /** Holds the number of the source's row. */
  readonly words: string;
  /** What names the edits of the original; empty if such a copy can't follow them. */
  readonly text: string;
  readonly madeAt: number;
}

/** Users and files carry the row number in a field that every source has. */
const ownWords: Readonly<Record<string, RegExp>> = {
  users: /^person(\d+)@example\.com$/,
  attachments: /^file-(\d+)\.bin$/,
};

const copyOf = (stream: string, { words, ...row }: CopiedRow): Copy => {
  const pattern = ownWords[stream];
  return { ...row, sourceId: pattern ? (pattern.exec(words)?.[1] ?? null) : readSign(stream, words) };
};

export interface ProxiedNeeds {
  readonly proxy: FaultProxy;
  readonly source: StandInControl;
  readonly streams: readonly string[];
  rows(stream: string): Promise<readonly CopiedRow[]>;
  /** Into how many calls a latency is divided: a record, or a page of them, takes several. */
  readonly shareOfLatency: number;
}

/** What is the same for all destinations that a fault proxy stands in front of, and whose own tables are compared. */
export const proxiedDestination = ({ proxy, source, streams, rows, shareOfLatency }: ProxiedNeeds) =>
  ({
    host: new URL(proxy.url).host,
    streams,
    setLatency: async (ms) => proxy.weather.setLatency(Math.round(ms / shareOfLatency)),
    async compare(before) {
      const all: Record<string, Compared> = {};
      for (const stream of streams) {
        const copies = (await rows(stream)).map((row) => copyOf(stream, row));
        all[stream] = compareCopies(await source.sourceRows(stream), copies, before);
      }
      return all;
    },
    async setFaults(faults) {
      proxy.setFaults(faults);
      await source.setWeather({ faults });
    },
    happened: async () => proxy.weather.happened(),
    storm: async (storm) => proxy.storm(storm),
    unauthorized: async () => proxy.unauthorized(),
    lateWrites: async () => proxy.lateWrites(),
    expire: async () => proxy.expire(),
  }) satisfies Partial<ChaosDestination>;
