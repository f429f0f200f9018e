import { request } from "node:http";
import type {
  WizardCheckedFiles,
  WizardInspectedFiles,
  WizardUpload,
  WizardUploads,
} from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { writeXlsx } from "../../../../../connectors/csv/testing/write-xlsx.ts";
import { created, useApi } from "../../../../../test/contract/api.ts";
import { send } from "../../../../../test/contract/http-client.ts";
import { createPostgresBlobs, createUploads, pieceBytes } from "../../../features/uploads/index.ts";
import { uploadRoutes } from "./upload-routes.ts";

const api = useApi({ takesFiles: true });

interface Link {
  readonly id: string;
  readonly token: string;
}

const newLink = async (body: object = {}): Promise<Link> => {
  const { token } = await api.partner();
  return created(api, token, { source_tool: "csv", family: "helpdesk", ...body });
};
const pathOf = ({ id }: Link, path: string) => `/wizard/api/imports/${id}/connections/source/uploads${path}`;
const ask = (link: Link, method: string, path: string, body?: object | Buffer) =>
  send(api.origin, {
    method,
    path: pathOf(link, path),
    headers: { authorization: `Bearer ${link.token}` },
    ...(body && { body }),
  });
const begin = async (link: Link, name: string, size: number) => {
  const { status, json } = await ask(link, "POST", "", { name, size, modifiedAt: 5 });
  expect(status).toBe(201);
  return (json as WizardUpload).id;
};
const upload = async (link: Link, name: string, bytes: Buffer) => {
  const id = await begin(link, name, bytes.length);
  const { status, json } = await ask(link, "PUT", `/${id}/bytes?offset=0`, bytes);
  expect([status, json]).toEqual([200, { received: bytes.length }]);
  return id;
};
const listed = async (link: Link) => (await ask(link, "GET", "")).json as WizardUploads;

const tickets = Buffer.from(
  "Ticket ID;Betreff;Status;Angelegt am\n7;Drucker brennt;offen;31.12.2025 10:00\n8;Größe;geschlossen;\n",
  "latin1",
);
const comments = Buffer.from(
  "Comment ID,Ticket ID,Text,Visibility\n1,7,Switch it off,public\n2,8,Why,internal\n",
);

test("files are listed with what arrived of them, and removed", async () => {
  const link = await newLink();
  const id = await upload(link, "tickets.csv", tickets);
  const begun = await begin(link, "later.csv", 1_000);
  expect(await listed(link)).toMatchObject({
    files: [
      { id, name: "tickets.csv", size: tickets.length, received: tickets.length, modifiedAt: 5 },
      { id: begun, received: 0 },
    ],
    limits: { fileBytes: 5 * 1024 ** 3 },
    examples: [{ stream: "contacts" }, { stream: "tickets", name: "tickets.csv" }, { stream: "comments" }],
  });
  expect((await ask(link, "DELETE", `/${begun}`)).status).toBe(200);
  expect((await ask(link, "DELETE", `/${begun}`)).status).toBe(404);
  expect((await listed(link)).files).toHaveLength(1);
});

test("a file of another import is not there, whatever the request", async () => {
  const [mine, theirs] = [await newLink(), await newLink()];
  const id = await upload(theirs, "tickets.csv", tickets);
  expect((await listed(mine)).files).toEqual([]);
  expect((await ask(mine, "PUT", `/${id}/bytes?offset=0`, tickets)).status).toBe(404);
  expect((await ask(mine, "DELETE", `/${id}`)).status).toBe(404);
  const inspected = await ask(mine, "POST", "/inspect", { files: [{ file: id }] });
  expect(inspected.json).toMatchObject({ files: [] });
  const columns = [{ column: 0, header: "Ticket ID", field: "id" }];
  const settings = { importId: theirs.id, files: { tickets: { file: id, columns } } };
  expect((await ask(mine, "POST", "/check", { settings })).json).toMatchObject({
    files: [{ problem: expect.stringContaining("missing") }],
  });
  // Also by the route that connects any tool: what is typed as the import's id is ignored.
  const connected = await send(api.origin, {
    method: "PUT",
    path: `/wizard/api/imports/${mine.id}/connections/source`,
    headers: { authorization: `Bearer ${mine.token}` },
    body: { settings },
  });
  expect(connected.status).toBe(422);
  expect(connected.text).toContain("missing");
  expect(await ask({ ...theirs, token: mine.token }, "GET", "")).toMatchObject({ status: 401 });
});

test("bytes at another offset are refused with the right one; a broken body keeps its whole pieces", async () => {
  const link = await newLink();
  const bytes = Buffer.alloc(3 * pieceBytes, "id,subject\n");
  const id = await begin(link, "tickets.csv", bytes.length);
  const early = await ask(link, "PUT", `/${id}/bytes?offset=${pieceBytes}`, bytes.subarray(pieceBytes));
  expect([early.status, early.json]).toMatchObject([409, { current: { received: 0 } }]);
  const { port } = new URL(api.origin);
  await new Promise<void>((resolve) => {
    const broken = request({
      port,
      method: "PUT",
      path: pathOf(link, `/${id}/bytes?offset=0`),
      headers: { authorization: `Bearer ${link.token}`, "content-length": bytes.length },
    });
    broken.on("error", () => resolve());
    broken.write(bytes.subarray(0, 2 * pieceBytes + 10));
    // Broken off as soon as two pieces are stored.
    const wait = async (): Promise<void> => {
      const [file] = (await listed(link)).files;
      if (file?.received === 2 * pieceBytes) broken.destroy();
      else await wait();
    };
    void wait();
  });
  const rest = await ask(
    link,
    "PUT",
    `/${id}/bytes?offset=${2 * pieceBytes}`,
    bytes.subarray(2 * pieceBytes),
  );
  expect(rest.json).toEqual({ received: bytes.length });
  const blobs = { chosen: "postgres" as const, of: () => createPostgresBlobs(api.db) };
  const uploads = createUploads({ db: api.db, sealer: api.sealer, blobs });
  const file = await uploads.open(link.id, id);
  const read: Buffer[] = [];
  for await (const piece of file?.openAt(0) ?? []) read.push(Buffer.from(piece));
  expect(Buffer.concat(read).equals(bytes)).toBe(true);
});

test("wrong sizes, names, offsets and chunks are refused", async () => {
  const link = await newLink();
  const refusedAs = async (body: object) => (await ask(link, "POST", "", body)).json;
  expect(await refusedAs({ name: "a.csv", size: 0 })).toMatchObject({
    size: [expect.stringMatching("empty")],
  });
  expect(await refusedAs({ name: "a.csv", size: 5 * 1024 ** 3 + 1 })).toMatchObject({
    size: [expect.stringMatching("5 GB")],
  });
  expect(await refusedAs({ name: " ", size: 5 })).toMatchObject({ name: ["can't be blank"] });
  expect(await refusedAs({ name: "a\u001b[2J.csv", size: 5 })).toMatchObject({
    name: ["has a character that is not allowed"],
  });
  const id = await begin(link, "a.csv", 20_000_000);
  expect((await ask(link, "PUT", `/${id}/bytes`, tickets)).status).toBe(422);
  expect((await ask(link, "PUT", `/${id}/bytes?offset=-1`, tickets)).status).toBe(422);
  expect((await ask(link, "PUT", `/${id}/bytes?offset=0`, Buffer.alloc(9_000_000))).status).toBe(400);
});

test("a look into files takes each of them once, and no more than an import can have", async () => {
  const link = await newLink();
  const file = await upload(link, "tickets.csv", tickets);
  const twice = await ask(link, "POST", "/inspect", { files: [{ file }, { file }] });
  expect([twice.status, twice.json]).toEqual([422, { files: ["names a file twice"] }]);
  const many = Array.from({ length: 41 }, (_, index) => ({ file: `${file}${index}` }));
  const refused = await ask(link, "POST", "/inspect", { files: many });
  expect([refused.status, refused.json]).toEqual([422, { files: ["must be at most 40"] }]);
});

test("an import's files are read by one request at a time, and few wait", async () => {
  const waiting: (() => void)[] = [];
  const routes = uploadRoutes({
    uploads: { limits: { files: 40 }, list: async () => [], open: async () => null } as never,
    tables: {
      tool: "csv",
      streams: () => [],
      inspect: () => new Promise((resolve) => waiting.push(() => resolve([]))),
    } as never,
  });
  const route = routes.find(({ path }) => path.endsWith("/inspect"));
  const inspect = async (id: string) =>
    route?.handle({
      import: { id, family: "helpdesk", sourceTool: "csv" },
      param: () => "source",
      body: { files: [] },
    } as never);
  const mine = Array.from({ length: 5 }, () => inspect("imp_1"));
  await expect(inspect("imp_1")).rejects.toMatchObject({ code: "rate_limited" });
  mine.push(inspect("imp_2"));
  await expect.poll(() => waiting.length).toBe(2);
  for (let done = 0; done < mine.length; done += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
  }
  expect((await Promise.all(mine)).every((answer) => answer?.status === 200)).toBe(true);
});

test("an import from a tool with an API takes no files", async () => {
  const link = await newLink({ source_tool: "redmine" });
  expect((await ask(link, "GET", "")).status).toBe(404);
  expect((await ask(link, "POST", "", { name: "a.csv", size: 5 })).status).toBe(404);
});

test("columns are suggested, the first rows checked, and the files connected", async () => {
  const link = await newLink();
  const [first, second] = [
    await upload(link, "tickets.csv", tickets),
    await upload(
      link,
      "comments.xlsx",
      writeXlsx(
        comments
          .toString()
          .trim()
          .split("\n")
          .map((line) => line.split(",")),
      ),
    ),
  ];
  const answer = await ask(link, "POST", "/inspect", { files: [{ file: first }, { file: second }] });
  const { files, streams } = answer.json as WizardInspectedFiles;
  expect(files).toMatchObject([
    { file: first, stream: "tickets", problem: null, dialect: { encoding: "windows-1252", delimiter: ";" } },
    { file: second, stream: "comments", dialect: null, sheets: ["Sheet1"] },
  ]);
  expect(files.flatMap(({ questions }) => questions)).toEqual([]);
  expect(streams.find(({ name }) => name === "comments")?.fields).toContainEqual(
    expect.objectContaining({ path: "ticketId", to: ["tickets"], required: true }),
  );
  const settings = {
    files: Object.fromEntries(files.map(({ stream, file, columns }) => [stream, { file, columns }])),
    timeZone: "Europe/Berlin",
  };
  const checked = (await ask(link, "POST", "/check", { settings })).json as WizardCheckedFiles;
  expect(checked.files).toMatchObject([
    { stream: "tickets", rows: 2, bad: 0 },
    { stream: "comments", rows: 2, bad: 0 },
  ]);
  expect((await ask(link, "POST", "/check", { settings: { timeZone: "Mars" } })).status).toBe(422);
  const connected = await send(api.origin, {
    method: "PUT",
    path: `/wizard/api/imports/${link.id}/connections/source`,
    headers: { authorization: `Bearer ${link.token}` },
    body: { settings },
  });
  expect([connected.status, connected.json]).toEqual([
    200,
    { signInName: "Uploaded files", accountName: "Files for comments, tickets" },
  ]);
  // With the source's sign-in the files go.
  await send(api.origin, {
    method: "DELETE",
    path: `/wizard/api/imports/${link.id}/connections/source`,
    headers: { authorization: `Bearer ${link.token}` },
  });
  expect((await listed(link)).files).toEqual([]);
});

test("another key is refused once something was copied", async () => {
  const link = await newLink();
  const atSource = (method: string, body?: object) =>
    send(api.origin, {
      method,
      path: `/wizard/api/imports/${link.id}/connections/source`,
      headers: { authorization: `Bearer ${link.token}` },
      ...(body && { body }),
    });
  const bySubject = ["subject", "id", "statusKind"];
  const connectWith = async (fields: readonly string[], more: object = {}) => {
    const file = await upload(link, "tickets.csv", tickets);
    const headers = ["Ticket ID", "Betreff", "Status"];
    const words = { offen: "open", geschlossen: "closed" };
    const columns = fields.map((field, column) => ({ column, header: headers[column], field, words }));
    const { status, json } = await atSource("PUT", {
      settings: { files: { tickets: { file, columns }, ...more } },
    });
    return status === 200 ? "connected" : (json as { base: string[] }).base[0];
  };
  const isNow = (columns: string) =>
    api.db.pool.query(`update imports set ${columns} where id = $1`, [link.id]);
  const byId = ["id", "subject", "statusKind"];
  // Before a copy, the customer is free to choose.
  expect(await connectWith(bySubject)).toBe("connected");
  expect(await connectWith(byId)).toBe("connected");
  await isNow("sample_copy = 'all', status = 'sample_completed'");
  expect(await connectWith(bySubject)).toMatch(
    /tickets are known by the column “Ticket ID”.* by the column “Betreff”.*second time.*undo the move first/s,
  );
  expect(await connectWith(["tags", "subject", "statusKind"])).toMatch(/“Ticket ID”.* by their position/s);
  // The same key in another file, and a kind of record that has no copies.
  const file = await upload(link, "comments.csv", comments);
  const columns = ["id", "ticketId", "body"].map((field, column) => ({
    column,
    header: ["Comment ID", "Ticket ID", "Text"][column],
    field,
  }));
  expect(await connectWith(byId, { comments: { file, columns } })).toBe("connected");
  // A kind that is left out meanwhile is not forgotten, and neither is what was erased with the files.
  expect(await connectWith(byId)).toBe("connected");
  const [, ...withoutKey] = columns;
  expect(await connectWith(byId, { comments: { file, columns: withoutKey } })).toMatch(
    /comments are known by the column “Comment ID”/,
  );
  expect((await atSource("DELETE")).status).toBe(200);
  expect(await connectWith(bySubject)).toMatch(/second time/);
  expect(await connectWith(byId)).toBe("connected");
  // Another page, while the run reads.
  await isNow("sample_copy = 'none', live_run = 'full', status = 'migration_in_progress'");
  expect(await connectWith(bySubject)).toMatch(/second time/);
  await isNow("live_run = null, status = 'migration_cleaned'");
  expect(await connectWith(bySubject)).toBe("connected");
  // What the key is called is the customer's.
  const { rows } = await api.db.pool.query<{ row: string }>(
    "select connections::text as row from connections",
  );
  expect(JSON.stringify(rows)).not.toContain("Betreff");
});

test("an example file per kind of record can be downloaded", async () => {
  const link = await newLink();
  const { status, text, headers } = await ask(link, "GET", "/examples/comments");
  expect([status, headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(headers["content-disposition"]).toBe('attachment; filename="comments.csv"');
  expect(text).toContain("Comment ID,Ticket ID");
  expect((await ask(link, "GET", "/examples/nothing")).status).toBe(404);
});

test("nothing of a file or its name is logged", async () => {
  const link = await newLink();
  await upload(link, "kunden-von-acme.csv", Buffer.from("Name\nGeheimrat Winter\n"));
  expect(api.logged()).not.toMatch(/kunden-von-acme|Geheimrat/);
});
