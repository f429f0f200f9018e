import type { Connector, FamilyRecord, Io } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, afterEach, expect, test } from "vitest";
import { standInConnector, type StandInConnectorOptions, type StandInSettings } from "./connector.ts";
import type { Paging, StandInOptions } from "./options.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const transport = createPlainTransport();
afterAll(() => transport.close());
const running: StandIn[] = [];
afterEach(async () => {
  for (const tool of running.splice(0)) await tool.close();
});

const set = async (
  options: Partial<StandInOptions>,
  connecting: Partial<StandInConnectorOptions> = {},
  more: { answerMs?: number; retry?: { attempts?: number; firstDelayMs?: number } } = {},
) => {
  const tool = await startStandIn(options);
  running.push(tool);
  const family = options.family ?? "helpdesk";
  const connector = standInConnector({
    family,
    paging: options.paging ?? "keyset",
    ...connecting,
  });
  const settings = { instanceUrl: tool.url, token: tool.token };
  const io = createTestIo({
    manifest: connector.manifest,
    settings,
    transport,
    retry: { firstDelayMs: 5 },
    ...more,
  });
  return { tool, connector, io, settings };
};

const source = (connector: Connector<StandInSettings>, name: string) => {
  const found = connector.source?.helpdesk?.find(({ stream }) => stream.name === name);
  if (!found) throw new Error(name);
  return found;
};
const destination = (connector: Connector<StandInSettings>, name: string) => {
  const found = connector.destination?.helpdesk?.find(({ stream }) => stream.name === name);
  if (!found) throw new Error(name);
  return found;
};

const readAll = async (connector: Connector<StandInSettings>, io: Io<StandInSettings>, name: string) => {
  const records: FamilyRecord[] = [];
  const stream = source(connector, name);
  let cursor = null;
  do {
    const page = await stream.readPage(io, { cursor, since: null, parentId: null });
    records.push(...page.records);
    cursor = page.next;
  } while (cursor !== null);
  return records;
};

const counts = {
  users: 5,
  contacts: 10,
  organizations: 3,
  groups: 3,
  tickets: 57,
  comments: 20,
  attachments: 4,
};
const small = { counts, largeText: 0 };

test.each(["keyset", "offset", "page", "cursor", "link"] as const satisfies Paging[])(
  "%s: every record once, with 500s and resets",
  async (paging) => {
    const { tool, connector, io } = await set(
      { ...small, paging, faults: { error: 0.1, reset: 0.1 } },
      { pageSize: 10 },
      { retry: { firstDelayMs: 1, attempts: 10 } },
    );
    const ids = (await readAll(connector, io, "tickets")).map(({ id }) => Number(id));
    expect(ids).toEqual(Array.from({ length: 57 }, (_, index) => index + 1));
    expect(tool.stats().faults).toBeGreaterThan(0);
  },
);

test("the same seed gives the same records, another one others", async () => {
  const first = await set(small);
  const second = await set(small);
  const third = await set({ ...small, seed: "other" });
  const one = await readAll(first.connector, first.io, "tickets");
  expect(await readAll(second.connector, second.io, "tickets")).toEqual(one);
  expect(await readAll(third.connector, third.io, "tickets")).not.toEqual(one);
});

test("serves ten million records without storing them", async () => {
  const { connector, io } = await set({ counts: { ...counts, tickets: 10_000_000 } });
  const stream = source(connector, "tickets");
  expect(await stream.count?.(io)).toEqual({ value: 10_000_000, exact: true });
  const page = await stream.readPage(io, { cursor: { after: 9_999_950 }, since: null, parentId: null });
  expect(page.records).toHaveLength(50);
});

test("rows can be changed, removed and added during a read", async () => {
  const { tool, connector, io } = await set(small);
  const rows = tool.source.get("tickets");
  rows?.remove("3");
  rows?.update("4", { tags: ["changed"] });
  rows?.add((await readAll(connector, io, "tickets"))[0] as FamilyRecord);
  const now = await readAll(connector, io, "tickets");
  expect(now.map(({ id }) => id)).not.toContain("3");
  expect(now.find(({ id }) => id === "4")?.tags).toEqual(["changed"]);
  expect(now.at(-1)?.id).toBe("58");
});

test("a quota per account: 429 with headers, kept by the limiter", async () => {
  const { tool, connector, io } = await set(
    { ...small, quota: { requests: 5, perMs: 300 } },
    { pageSize: 5 },
  );
  expect(await readAll(connector, io, "tickets")).toHaveLength(57);
  const headers = { authorization: `Bearer ${tool.token}` };
  const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(`${tool.url}/me`, { headers })));
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  const other = { authorization: `Bearer ${tool.newAccount().token}` };
  expect((await fetch(`${tool.url}/me`, { headers: other })).headers.get("x-remaining")).toBe("4");
});

const ticket = (connector: Connector<StandInSettings>, id: string) =>
  source(connector, "tickets").stream.make({ id, subject: `T${id}`, status: "new", statusKind: "new" });

test("writes in doubt are unknown after any fault, and `find` shows them after their grace", async () => {
  for (const faults of [
    { errorAfterWrite: 1 },
    { resetAfterWrite: 1 },
    { silenceAfterWrite: 1 },
    { lateEffect: 1, lateEffectMs: 100 },
  ]) {
    const { connector, io } = await set({ ...small, faults }, { settles: "lookup" }, { answerMs: 2_000 });
    const stream = destination(connector, "tickets");
    const [outcome] = await stream.write(io, [{ key: "k1", record: ticket(connector, "1"), id: null }]);
    expect(outcome?.kind, JSON.stringify(faults)).toBe("unknown");
    const found = async () => (await stream.find(io, [{ key: "k1", since: new Date(0) }])).get("k1");
    await expect.poll(found, { message: JSON.stringify(faults) }).toHaveLength(1);
  }
});

test("counts duplicates and mails", async () => {
  const { tool, connector, io } = await set(small, { settles: "lookup" });
  const stream = destination(connector, "tickets");
  for (let i = 0; i < 2; i += 1)
    await stream.write(io, [{ key: "k1", record: ticket(connector, "1"), id: null }]);
  expect(tool.stats()).toMatchObject({ duplicates: 1, written: 2, mails: 0 });
  await io.http.send({
    url: "written/tickets",
    method: "POST",
    json: [{ key: "k2", id: null, record: ticket(connector, "2") }],
  });
  expect(tool.stats().mails).toBe(1);
});

test("tokens expire, and each refresh token works once", async () => {
  const tool = await startStandIn({ ...small, tokenLifeMs: 80 });
  running.push(tool);
  const connector = standInConnector({ family: "helpdesk", paging: "keyset", auth: "oauth2" });
  const held = { token: tool.token, refreshToken: tool.refreshToken };
  const io = createTestIo({
    manifest: connector.manifest,
    settings: { instanceUrl: tool.url, token: "" },
    transport,
    tokens: {
      current: async () => held.token,
      async refresh() {
        const answer = await fetch(`${tool.url}/oauth/token`, {
          method: "POST",
          body: JSON.stringify({ refresh_token: held.refreshToken }),
        });
        if (!answer.ok) return null;
        const fresh = (await answer.json()) as { access_token: string; refresh_token: string };
        held.token = fresh.access_token;
        held.refreshToken = fresh.refresh_token;
        return held.token;
      },
    },
  });
  const spent = held.refreshToken;
  await connector.check(io);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await connector.check(io);
  expect(held.refreshToken).not.toBe(spent);
  held.refreshToken = spent;
  await new Promise((resolve) => setTimeout(resolve, 100));
  await expect(connector.check(io)).rejects.toMatchObject({ recovery: "reauthorize" });
  expect(tool.stats().reusedRefreshTokens).toBe(1);
});
