import type {
  Connector,
  Destination,
  DestinationStream,
  FamilyRecord,
  FamilyStream,
  Io,
  SourceStream,
} from "@portage/connector-kit";
import type { CompiledMapping, FieldToCreate } from "../../mapping/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Lease, LeaseTimes } from "./lease.ts";
import type { Side } from "../run.ts";

/** One side of an import, ready for calls. */
export interface OpenedSide {
  readonly kind: "open";
  readonly connector: Connector;
  readonly settings: unknown;
  readonly accountId: string;
  /** Which sign-in this is: a failure with it says nothing about a later one. */
  readonly revision: number;
  /** Calls `mayStart` right before each request goes out. */
  io(signal: AbortSignal, mayStart?: () => boolean): Io;
  /** The streams that this instance accepts. */
  offered(signal: AbortSignal): Promise<Destination>;
}

export type OpenRunSide = (at: {
  readonly importId: string;
  readonly side: Side;
  readonly runId: string | null;
}) => Promise<OpenedSide | { readonly kind: "missing" }>;

/** A mapping as a run uses it. */
export interface RunMapping
  extends Pick<CompiledMapping, "apply" | "personFor" | "isSelected" | "copiedPeopleIn"> {
  readonly revision: number;
  includes(stream: string): boolean;
  /** The destination's custom fields that hold people in a stream, by any mapping that the import has used. */
  personFields(stream: string): readonly string[];
  /** The fields that the destination must have before anything is copied. */
  readonly creations: readonly FieldToCreate[];
  /** The destination's own fields that are filled, by the source's. */
  readonly uses: readonly { readonly stream: string; readonly sourceKey: string; readonly key: string }[];
  /** Whether records of a stream would come out differently than by an earlier revision. */
  differsFrom(revision: number, stream: string): boolean;
  /** Whether this one record comes out as by an earlier revision, although others of its stream may not. */
  makesSameAs(revision: number, stream: FamilyStream, record: FamilyRecord): boolean;
  /** The mapping that an earlier run used; null: it is gone. */
  asOf(revision: number): Pick<CompiledMapping, "apply" | "copiedPeopleIn" | "personFor"> | null;
  /** Whether an earlier revision chose the same records to copy. */
  choosesLike(revision: number): boolean;
}

/** A stream that both sides know; `to` is null for people that can only be matched, never written. */
export interface StreamPair {
  readonly name: string;
  readonly from: SourceStream;
  readonly to: DestinationStream | null;
}

/** What a task gets for one chunk. */
export interface ChunkContext {
  readonly db: Database;
  readonly times: LeaseTimes;
  readonly lease: Lease;
  /** Asks the attempt to end at the next page: the process shuts down, or its lease is lost. */
  readonly signal: AbortSignal;
  /** Another attempt may have the partition: aborts writes in flight, which a shutdown lets end. */
  readonly lost: AbortSignal;
  readonly source: OpenedSide;
  readonly destination: OpenedSide;
  /** In the order of copying. */
  readonly streams: readonly StreamPair[];
  readonly mapping: RunMapping;
}

/** The stream of this partition. */
export const pairOf = ({
  streams,
  lease,
}: Pick<ChunkContext, "streams"> & { readonly lease: Pick<Lease, "stream"> }): StreamPair => {
  const found = streams.find(({ name }) => name === lease.stream);
  if (!found) throw new Error(`The stream ${lease.stream} is not among the import's streams.`);
  return found;
};

/** The same chunk, for a record of another stream. */
export const forStream = (ctx: ChunkContext, stream: string): ChunkContext => ({
  ...ctx,
  lease: { ...ctx.lease, stream },
});

/** Whether the destination takes records of this partition's stream together with their parents. */
export const comesWithParent = ({ streams, lease }: Pick<ChunkContext, "streams" | "lease">): boolean =>
  streams.some(({ to }) => to?.takes?.streams.includes(lease.stream) === true);

/** The owner of these records, shared by all imports that write there. */
export const sharedAccount = ({ connector, accountId }: OpenedSide) => ({
  tool: connector.manifest.name,
  accountId,
});
