import {
  type Connector,
  type DestinationStream,
  type FamilyRecord,
  helpdesk,
  type Io,
  kitVersion,
  type SourceStream,
} from "@portage/connector-kit";
import { z } from "zod";
import type { ConnectedTool } from "../facts/gather-facts.ts";

const manifest: Connector["manifest"] = {
  kit: kitVersion,
  name: "memory",
  label: "Memory",
  families: ["helpdesk"],
  roles: ["source", "destination"],
  settings: z.unknown(),
  auth: { kind: "none" },
  hosts: () => ({ api: ["https://memory.example"] }),
  limits: [],
  concurrency: 1,
  grace: { lateWriteMs: 0, findLagMs: 0 },
};

const refuse = async (): Promise<never> => {
  throw new Error("Matching writes nothing, and calls only what the test provides.");
};

const io: Io = {
  http: { send: refuse, download: refuse },
  settings: {},
  signal: new AbortController().signal,
  scope: {},
};

/** A stream that is read from a list, `size` records a page. */
export const sourceOf = <T extends FamilyRecord>(
  stream: SourceStream<T>["stream"],
  records: readonly T[],
  more: Partial<SourceStream<T>> & { size?: number } = {},
): SourceStream => {
  const { size = 100, ...others } = more;
  const source: SourceStream<T> = {
    stream,
    delta: false,
    async readPage(_io, { cursor }) {
      const start = Number(cursor?.start ?? 0);
      const end = start + size;
      return { records: records.slice(start, end), next: end < records.length ? { start: end } : null };
    },
    readByIds: async (_io, ids) => records.filter(({ id }) => ids.includes(id)),
    ...others,
  };
  return source;
};

/** A stream that refuses writes: matching never writes. */
export const destinationOf = (
  stream: DestinationStream["stream"],
  more: Partial<DestinationStream> = {},
): DestinationStream => ({
  stream,
  batchSize: 1,
  idempotency: "lookup",
  guarantees: [],
  find: refuse,
  write: refuse,
  read: refuse,
  ...more,
});

export const sideWith = (parts: Partial<Connector>): ConnectedTool => ({
  connector: {
    manifest,
    check: async () => ({ signInName: "jo", accountName: "Acme", accountId: "1" }),
    ...parts,
  },
  io,
});

export const ticket = (known: Partial<Parameters<typeof helpdesk.tickets.make>[0]> & { id: string }) =>
  helpdesk.tickets.make({ subject: "Brake", status: "Open", statusKind: "open", ...known });
