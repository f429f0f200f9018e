import type { Cursor, FamilyRecord } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { Agent, request } from "undici";
import { standInConnector } from "../test/tools/stand-in/connector.ts";
import type { Copied, CopyOrder } from "./copy-order.ts";

/**
 * The baseline for the engine: the simplest copy loop. It reads the next page while it writes the current one, with the
 * same number of partitions, without checkpoints or crash recovery.
 */
interface Ends {
  slices(): Promise<readonly Cursor[]>;
  read(cursor: Cursor): Promise<{ readonly records: readonly FamilyRecord[]; readonly next: Cursor | null }>;
  write(records: readonly FamilyRecord[]): Promise<number>;
  close(): Promise<void>;
}

const keyOf = (stream: string, id: string) => `bare:${stream}:${id}`;

const byKit = ({ url, token, stream, pageSize, batchSize, partitions }: CopyOrder): Ends => {
  const transport = createPlainTransport();
  const options = { family: "helpdesk", paging: "keyset", pageSize, batchSize } as const;
  const connector = standInConnector({ ...options, concurrency: 4 * partitions });
  const settings = { instanceUrl: url, token };
  const io = createTestIo({ manifest: connector.manifest, settings, transport });
  const from = connector.source?.helpdesk?.find((each) => each.stream.name === stream);
  const to = connector.destination?.helpdesk?.find((each) => each.stream.name === stream);
  if (!from?.slices || !to) throw new Error(`The stand-in has no ${stream}.`);
  const { slices } = from;
  return {
    slices: () => slices(io, partitions),
    read: (cursor) => from.readPage(io, { cursor, since: null, parentId: null }),
    async write(records) {
      const batch = records.map((record) => ({ key: keyOf(stream, record.id), record, id: null }));
      const outcomes = await to.write(io, batch);
      return outcomes.filter(({ kind }) => kind === "written").length;
    },
    close: () => transport.close(),
  };
};

const byHand = ({ url, token, stream, pageSize, partitions }: CopyOrder): Ends => {
  const agent = new Agent({ connections: 4 * partitions, pipelining: 1 });
  const headers = { authorization: `Bearer ${token}` };
  const ask = async <T>(path: string, body?: string): Promise<T> => {
    const method = body === undefined ? "GET" : "POST";
    const answer = await request(`${url}/${path}`, {
      dispatcher: agent,
      method,
      headers,
      body: body ?? null,
    });
    return (await answer.body.json()) as T;
  };
  return {
    async slices() {
      const { last } = await ask<{ last: number }>(`rows/${stream}/bounds`);
      const edge = (part: number) => Math.floor((last * part) / partitions);
      return Array.from({ length: partitions }, (_, part) => ({ after: edge(part), until: edge(part + 1) }));
    },
    async read({ after, until }) {
      const { rows } = await ask<{ rows: FamilyRecord[] }>(`rows/${stream}?after=${after}&size=${pageSize}`);
      const records = rows.filter(({ id }) => Number(id) <= Number(until));
      const last = Number(records.at(-1)?.id ?? until);
      return { records, next: last >= Number(until) ? null : { after: last, until: until ?? 0 } };
    },
    async write(records) {
      const kept = { id: null, notify: false, keepDates: true, keepAuthor: true };
      const items = records.map((record) => ({ key: keyOf(stream, record.id), record, ...kept }));
      const results = await ask<{ id?: string }[]>(`written/${stream}`, JSON.stringify(items));
      return results.filter(({ id }) => id !== undefined).length;
    },
    close: () => agent.close(),
  };
};

const writePage = async (
  ends: Ends,
  records: readonly FamilyRecord[],
  { batchSize, writeConcurrency }: CopyOrder,
): Promise<number> => {
  const batches = Array.from({ length: Math.ceil(records.length / batchSize) }, (_, index) =>
    records.slice(index * batchSize, (index + 1) * batchSize),
  );
  let written = 0;
  const work = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const count = await ends.write(batch);
      written += count;
    }
  };
  await Promise.all(Array.from({ length: writeConcurrency }, work));
  return written;
};

const copyPart = async (ends: Ends, start: Cursor, order: CopyOrder): Promise<number> => {
  let written = 0;
  let coming: ReturnType<Ends["read"]> | null = ends.read(start);
  while (coming) {
    const { records, next }: Awaited<ReturnType<Ends["read"]>> = await coming;
    coming = next && ends.read(next);
    written += await writePage(ends, records, order);
  }
  return written;
};

const copyAll = async (order: CopyOrder): Promise<Copied> => {
  const ends = order.by === "kit" ? byKit(order) : byHand(order);
  const parts = await Promise.all((await ends.slices()).map((start) => copyPart(ends, start, order)));
  await ends.close();
  return { records: parts.reduce((sum, each) => sum + each, 0) };
};

process.on("disconnect", () => process.exit());
process.on("message", (order: CopyOrder) => {
  copyAll(order).then(
    (copied) => process.send?.(copied),
    (error: Error) => process.send?.({ error: error.stack ?? error.message }),
  );
});
