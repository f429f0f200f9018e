import {
  type Connector,
  type DestinationStream,
  type FamilyRecord,
  type Outcome,
  type SourceStream,
} from "@portage/connector-kit";
import type { StatusCode } from "@portage/contract";
import { afterAll, beforeAll } from "vitest";
import { findLatestRun } from "../../server/src/features/runs/index.ts";
import { type BeginOptions, createRunsFixture } from "./runs-fixture.ts";
import { standInConnector } from "../tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../tools/stand-in/stand-in.ts";

const counts = { users: 5, contacts: 20, tickets: 150, comments: 120 };
export const total = 295;

export const plain = () =>
  standInConnector({ family: "helpdesk", paging: "keyset", settles: "lookup" }) as unknown as Connector;

const reads = (change: ((stream: SourceStream) => SourceStream) | undefined): Connector => {
  const connector = plain();
  const streams = connector.source?.helpdesk ?? [];
  return { ...connector, source: { helpdesk: change ? streams.map(change) : streams } };
};

type Refuse = (stream: string, record: FamilyRecord) => boolean;

/** The same tool, but it rejects some records. */
export const refusing = (refuse: Refuse): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map(
    (stream): DestinationStream => ({
      ...stream,
      write: async (io, batch) => {
        const taken = batch.filter(({ record }) => !refuse(stream.stream.name, record));
        const outcomes = await stream.write(io, taken);
        return batch.map((write): Outcome<FamilyRecord> => {
          const at = taken.indexOf(write);
          return outcomes[at] ?? { kind: "rejected", code: "too_odd", message: "The tool did not like it." };
        });
      },
    }),
  );
  return { ...connector, destination: { helpdesk: streams } };
};

/** The same tool, but it changes some fields of its records by itself. */
export const moving = (volatileFields: readonly string[]): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map((stream) => ({ ...stream, volatileFields }));
  return { ...connector, destination: { helpdesk: streams } };
};

/** The same tool, but `find` finds comments only through their ticket. */
export const findingByParent = (): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    const isHeld = stream.stream.name === "comments";
    const ofParents: DestinationStream["find"] = (io, asked) =>
      stream.find(
        io,
        asked.filter(({ parentId }) => parentId !== undefined),
      );
    return isHeld ? { ...stream, find: ofParents } : stream;
  });
  return { ...connector, destination: { helpdesk: streams } };
};

/** The same tool, but it removes comments only with their ticket. */
export const takingCommentsAlong = (tool: StandIn, connector = plain()): Connector => {
  const tickets = tool.written("tickets");
  const removeTicket = tickets.remove.bind(tickets);
  // In the tool itself: comments go with their ticket even if the answer to its removal is lost.
  tickets.remove = (id) => {
    const isRemoved = removeTicket(id);
    if (isRemoved)
      for (const comment of copiesOf(tool, "comments"))
        if ((comment.record as unknown as { ticketId: string }).ticketId === id)
          tool.written("comments").remove(comment.id);
    return isRemoved;
  };
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    const { remove: _remove, ...withoutRemoval } = stream;
    return stream.stream.name === "comments" ? withoutRemoval : stream;
  });
  return { ...connector, destination: { helpdesk: streams } };
};

export const copiesOf = (tool: StandIn, stream: string) => [...tool.written(stream).all()];
export const subjectOf = (tool: StandIn, id: string) =>
  (tool.written("tickets").get(id)?.record as unknown as { subject: string } | undefined)?.subject;
/** As a person would, on the tool's own pages. */
export const edit = (
  tool: StandIn,
  id: string,
  change: Record<string, unknown>,
  stream = "tickets",
  key?: string,
) => {
  const row = tool.written(stream).get(id);
  if (!row) throw new Error("no such copy");
  tool.written(stream).write({
    key: key ?? row.key,
    id,
    record: { ...row.record, ...change },
    notify: false,
    keepDates: true,
    keepAuthor: true,
  });
};

interface GivenOptions {
  readonly connector?: Connector;
  readonly destination?: StandIn;
  readonly partitions?: number;
  readonly reading?: (stream: SourceStream) => SourceStream;
  readonly status?: StatusCode;
  readonly times?: BeginOptions["times"];
  readonly database?: BeginOptions["database"];
  readonly mapping?: BeginOptions["mapping"];
}

/** Runs of every kind between two stand-ins, on a database of this test file. */
export const useKinds = () => {
  let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
  beforeAll(async () => {
    fixture = await createRunsFixture();
  });
  afterAll(() => fixture.drop());
  const given = async (options: GivenOptions = {}) => {
    const source = await startStandIn({ counts, hostile: false, largeText: 100 });
    const destination = options.destination ?? (await startStandIn({ seed: "destination", upserts: false }));
    const one = await fixture.begin(
      { connector: reads(options.reading) as never, tool: source },
      { connector: (options.connector ?? plain()) as never, tool: destination },
      {
        ...(options.partitions === undefined ? {} : { partitions: options.partitions }),
        ...(options.status ? { status: options.status } : {}),
        ...(options.times ? { times: options.times } : {}),
        ...(options.database ? { database: options.database } : {}),
        ...(options.mapping ? { mapping: options.mapping } : {}),
      },
    );
    return { one, source, destination };
  };

  const ledgerId = async (importId: string, sourceId: string, stream = "tickets") => {
    const { rows } = await fixture.db.pool.query<{ id: string }>(
      "select dest_id as id from ledger where import_id = $1 and stream = $3 and source_id = $2",
      [importId, sourceId, stream],
    );
    return rows[0]?.id ?? "";
  };
  const latestRun = (importId: string) => findLatestRun(fixture.db, importId);
  return { given, ledgerId, latestRun, opened: () => fixture.db, database: () => fixture.db.pool };
};
