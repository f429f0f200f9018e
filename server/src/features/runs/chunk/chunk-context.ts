import type { Connector, Destination, DestinationStream, Io, SourceStream } from "@portage/connector-kit";
import type { CompiledMapping } from "../../mapping/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Lease, LeaseTimes } from "./lease.ts";
import type { Side } from "../run.ts";

/** One side of an import, ready to be called. */
export interface OpenedSide {
  readonly kind: "open";
  readonly connector: Connector;
  readonly settings: unknown;
  readonly accountId: string;
  /** Which sign-in this is: what fails with it says nothing about a later one. */
  readonly revision: number;
  /** `mayStart` is asked right before each request goes out. */
  io(signal: AbortSignal, mayStart?: () => boolean): Io;
  /** The streams that this very instance takes. */
  offered(signal: AbortSignal): Promise<Destination>;
}

export type OpenSide = (at: {
  readonly importId: string;
  readonly side: Side;
  readonly runId: string | null;
}) => Promise<OpenedSide | { readonly kind: "missing" }>;

/** A mapping as a run uses it. */
export interface RunMapping
  extends Pick<CompiledMapping, "apply" | "personFor" | "isSelected" | "copiedPeopleIn"> {
  readonly revision: number;
  includes(stream: string): boolean;
  /** Whether records of a stream would come out otherwise than by an earlier revision. */
  differsFrom(revision: number, stream: string): boolean;
}

/** A stream that both sides know; `to` is null for people that can only be matched, never written. */
export interface StreamPair {
  readonly name: string;
  readonly from: SourceStream;
  readonly to: DestinationStream | null;
}

/** Bugs that a test plants, to show that it would see them. */
export type Plant = "skip-settle" | "skip-epoch";

/** All that a task is lent for one chunk. */
export interface ChunkContext {
  readonly db: Database;
  readonly times: LeaseTimes;
  readonly lease: Lease;
  /** Asks the attempt to end at the next page: the process is going, or its time is over. */
  readonly signal: AbortSignal;
  readonly source: OpenedSide;
  readonly destination: OpenedSide;
  /** In the order in which they are copied. */
  readonly streams: readonly StreamPair[];
  readonly mapping: RunMapping;
  readonly plant: Plant | null;
}

/** The stream that this partition is about. */
export const pairOf = ({ streams, lease }: Pick<ChunkContext, "streams" | "lease">): StreamPair => {
  const found = streams.find(({ name }) => name === lease.stream);
  if (!found) throw new Error(`The stream ${lease.stream} is in no plan.`);
  return found;
};

/** Whose records these are, for all imports that write there. */
export const sharedAccount = ({ connector, accountId }: OpenedSide) => ({
  tool: connector.manifest.name,
  accountId,
});
