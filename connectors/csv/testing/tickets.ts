import type { Cursor } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { createCsv } from "../csv.ts";
import type { FileStore } from "../file-store.ts";
import { csvSettings } from "../settings.ts";
import { memoryFile, memoryStore } from "./folder-store.ts";
import { writeCsv } from "./write-csv.ts";

export const transport = createPlainTransport();

export const header = ["ID", "Subject", "Status", "Created", "Points"];
export const column = (index: number, field: string, more: object = {}) => ({
  column: index,
  header: header[index],
  field,
  ...more,
});
export const columns = [
  column(0, "id"),
  column(1, "subject"),
  column(2, "status"),
  column(2, "statusKind", { words: { open: "open", zu: "closed" } }),
  column(3, "createdAt", { date: "day-first" }),
  column(4, "customFields.points", { as: "number" }),
];

export interface Setup {
  readonly bytes?: Uint8Array;
  readonly files?: FileStore;
  readonly choice?: object;
  readonly rows?: number;
  readonly signal?: AbortSignal;
}

export const open = ({ bytes = new Uint8Array(), files, choice = {}, rows = 1000, signal }: Setup) => {
  const store = files ?? memoryStore({ f1: memoryFile(bytes, 50) });
  const connector = createCsv({ files: store, page: { rows, characters: 1_000_000 } });
  const settings = csvSettings.parse({ files: { tickets: { file: "f1", columns, ...choice } } });
  const io = createTestIo({
    manifest: connector.manifest,
    settings,
    transport,
    ...(signal ? { signal } : {}),
  });
  const stream = connector.source?.helpdesk?.find((each) => each.stream.name === "tickets");
  if (!stream) throw new Error("no tickets");
  const read = (cursor: Cursor | null = null) => stream.readPage(io, { cursor, since: null, parentId: null });
  return { connector, io, stream, read };
};

export const table = (...rows: readonly (readonly string[])[]) => writeCsv([header, ...rows]);
export const good = (id: string) => [id, `Subject ${id}`, "open", "31.12.2024 10:00", "5"];
