import { languageCodes } from "@portage/contract/languages";
import type { WizardOldLinks } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { send } from "../../../../../test/contract/http-client.ts";
import { refusing } from "../../../../../test/runs/refusing.ts";
import { givenPartner, testSigner } from "../../../../../test/support/fixtures.ts";
import {
  type BeginOptions,
  connector,
  type RunWizard,
  useRunWizard,
} from "../../../../../test/support/run-wizard.ts";
import { eraseImport } from "../../../features/erasure/index.ts";
import { moveImport } from "../../../features/imports/index.ts";
import { runRetention } from "../../../features/retention/index.ts";
import { updatePartner } from "../../../features/partners/index.ts";
import {
  createOldLinks,
  deleteExpiredOldLinks,
  dropLedgerMonths,
  ensureLedgerMonth,
  type OldLink,
} from "../../../features/runs/index.ts";
import { escapeHtml } from "../../../platform/escape-html.ts";
import { createToolRegistry } from "../../../features/tools/index.ts";
import { newId } from "../../../platform/ids.ts";
import { textsIn } from "../../../platform/texts/texts.ts";
import type { Mounted } from "../../server.ts";
import { oldAddressIn, oldLinkRoute } from "./old-link.ts";

const registry = createToolRegistry([connector]);
const wizard = useRunWizard({}, testSigner(), 20_000, null, registry);
const counts = {
  users: 3,
  tickets: 12,
  comments: 6,
  contacts: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};

/** A move whose destination refuses ticket 3, and in which the people 1 and 2 are the same person. */
const moved = async (options: BeginOptions = {}): Promise<RunWizard> => {
  const one = await wizard.begin({
    source: { counts },
    mapping: {
      personFor: ({ id }) => (["1", "2"].includes(id) ? { kind: "person", id: "u1" } : { kind: "none" }),
    },
    changed: (to) =>
      refusing(to, (stream, { id }) =>
        stream === "tickets" && id === "3" ? { kind: "rejected", code: "too_large", message: "No." } : null,
      ),
    ...options,
  });
  await one.run({ type: "full_started" });
  return one;
};

const follow = (importId: string, address: string) =>
  fetch(`${wizard.origin}/r/${importId}/${address}`, { redirect: "manual" });
const newIdOf = async ({ importId }: RunWizard, id: string) => {
  const { rows } = await wizard.runs.db.pool.query<{ id: string }>(
    "select dest_id as id from ledger where import_id = $1 and stream = 'tickets' and source_id = $2",
    [importId, id],
  );
  return rows[0]?.id ?? "";
};

test("every form of an old address leads to the new record, for a minute without asking again", async () => {
  const one = await moved();
  const target = `${one.destination.url}/show/tickets/${await newIdOf(one, "7")}`;
  const old = `${one.source.url}/show/tickets/7`;
  const forms = [
    old,
    old.replace("http://", "http:/"),
    old.replace("http:", "https:"),
    encodeURIComponent(old),
    `${old}?tab=history`,
    "tickets/7",
    "7",
    "%237",
  ];
  for (const form of forms) {
    const answer = await follow(one.importId, form);
    expect([form, answer.status, answer.headers.get("location")]).toEqual([form, 302, target]);
    expect(answer.headers.get("cache-control")).toBe("private, max-age=60");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  }
  expect(
    (await fetch(`${wizard.origin}/r/${one.importId}/7`, { method: "HEAD", redirect: "manual" })).status,
  ).toBe(302);
  // Two old people are one new person.
  for (const id of ["1", "2"])
    expect((await follow(one.importId, `users/${id}`)).headers.get("location")).toBe(
      `${one.destination.url}/show/users/u1`,
    );
});

test("the address of a comment leads to its ticket where the comment has no page or no copy of its own", async () => {
  const one = await moved();
  const { db } = wizard.runs;
  const linksOf = (commentsHavePages: boolean) =>
    createOldLinks(
      db,
      createToolRegistry([
        {
          ...connector,
          // As an address that names both.
          recordAt: (_, url) => {
            const { searchParams } = new URL(url);
            const [ticket, comment] = [searchParams.get("ticket"), searchParams.get("comment")];
            return { stream: "comments", id: comment ?? "", parent: { stream: "tickets", id: ticket ?? "" } };
          },
          destination: {
            helpdesk: (connector.destination?.helpdesk ?? []).map(({ urlOf, ...each }) => ({
              ...each,
              ...(urlOf && (each.stream.name !== "comments" || commentsHavePages) && { urlOf }),
            })),
          },
        },
      ]),
    );
  const urlOf = (ticket: string, comment: string) =>
    `https://old.example/?ticket=${ticket}&comment=${comment}`;
  const without = linksOf(false);
  const ticket = { stream: "tickets", oldId: "7", newId: await newIdOf(one, "7") };
  expect(await without.follow(one.importId, urlOf("7", "1"))).toMatchObject(ticket);
  // The first article of a ticket is its description, and no comment.
  expect(await without.follow(one.importId, urlOf("7", "999"))).toMatchObject(ticket);
  expect(await without.follow(one.importId, urlOf("999", "999"))).toBeNull();
  expect(await linksOf(true).follow(one.importId, urlOf("7", "1"))).toMatchObject({
    stream: "comments",
    oldId: "1",
  });
  // The partner's API names the record itself.
  expect(await without.resolve(one.importId, urlOf("7", "1"))).toMatchObject({
    stream: "comments",
    newAddress: null,
  });
});

test("the same page answers everything that leads nowhere", async () => {
  const one = await moved();
  const other = await moved();
  const texts = new Set<string>();
  const miss = async (importId: string, address: string) => {
    const answer = await follow(importId, address);
    expect([address, answer.status]).toEqual([address, 404]);
    expect(answer.headers.get("location")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    texts.add(await answer.text());
  };
  await miss(newId("imp"), "7");
  await miss("imp_nothing", "7");
  for (const address of [
    "3", // refused by the destination
    "999",
    "users/3", // without a match
    "runs/7",
    "tickets/7%00",
    "https://evil.example/show/tickets/7",
    `${one.source.url}@evil.example/show/tickets/7`,
    `//evil.example/${one.source.url}`,
    `${other.source.url}/show/tickets/7`,
    `${one.source.url}/show/tickets/${"7".repeat(3_000)}`,
  ])
    await miss(one.importId, address);
  expect(texts.size).toBe(1);
  expect([...texts][0]).toContain("We don&#39;t know where this record is now");
});

test.each(languageCodes)(
  "the page of an address that leads nowhere is in %s for a browser that wants it",
  async (code) => {
    const answer = await fetch(`${wizard.origin}/r/${newId("imp")}/7`, {
      headers: { "accept-language": `nl, ${code};q=0.9` },
    });
    const text = await answer.text();
    const { title, over } = textsIn(code).pages.oldLink;
    expect(text).toContain(`<html lang="${code}">`);
    expect(text).toContain(`<h1>${escapeHtml(title)}</h1>`);
    expect(text).toContain(escapeHtml(over));
  },
);

test("a sample, an undo, a cancellation, an erasure and the end of the partner's days close the way", async () => {
  const { db } = wizard.runs;
  const works = async ({ importId }: RunWizard) => (await follow(importId, "7")).status === 302;
  const sample = await wizard.begin({ source: { counts }, status: "waiting_for_sample" });
  await sample.run({ type: "sample_started" });
  expect(await works(sample)).toBe(false);

  const undone = await moved();
  expect(await works(undone)).toBe(true);
  await undone.run({ type: "undo_started" });
  expect(await works(undone)).toBe(false);

  const cancelled = await moved();
  const close = (type: "cancelled" | "archived", { importId }: RunWizard) =>
    moveImport(db, { type }, { importId, partnerId: null, actor: { kind: "operator" } } as never);
  await close("cancelled", cancelled);
  expect(await works(cancelled)).toBe(false);

  const archived = await moved();
  await close("archived", archived);
  expect(await works(archived)).toBe(true);
  await eraseImport(db, archived.importId);
  expect(await works(archived)).toBe(false);
  expect(
    (await db.pool.query("select from old_links where import_id = $1", [archived.importId])).rowCount,
  ).toBe(0);

  const old = await moved();
  await db.pool.query("update old_links set since = now() - interval '401 days' where import_id = $1", [
    old.importId,
  ]);
  expect(await works(old)).toBe(false);
  expect(await deleteExpiredOldLinks(db)).toBe(1);
  expect(await runRetention(db)).toMatchObject({ deletedOldLinks: 0 });
});

test("a month of the ledger stays as long as an old link leads to one of its copies", async () => {
  const { db } = wizard.runs;
  const month = Date.UTC(2024, 0, 15);
  const { partner } = await givenPartner(db);
  const importId = newId("imp", month);
  await ensureLedgerMonth(db, new Date(month));
  await db.pool.query(
    `insert into imports (id, partner_id, source_tool, destination_tool, family, data_key, link_token, status, sponsorship,
       start_full, closed, closed_at)
     values ($1, $2, 'a', 'b', 'helpdesk', '', '', 'migration_completed', 'accepted', true, 'archived', now())`,
    [importId, partner.id],
  );
  await db.pool.query(
    `insert into old_links (import_id, partner_id, family, source_tool, source_settings, destination_tool,
       destination_settings, destination_urls, ledger_leaf)
     values ($1, $2, 'helpdesk', 'a', '{}', 'b', '{}', '{}', 'ledger_2024_01_0')`,
    [importId, partner.id],
  );
  const before = new Date(Date.UTC(2025, 0));
  expect(await dropLedgerMonths(db, before)).toEqual([]);
  await updatePartner(db, partner.id, { oldLinksDays: 0 });
  await deleteExpiredOldLinks(db);
  expect(await dropLedgerMonths(db, before)).toEqual(["ledger_2024_01"]);
});

test("neither secrets nor sign-in names are kept", async () => {
  const one = await moved();
  const { rows } = await wizard.runs.db.pool.query("select * from old_links where import_id = $1", [
    one.importId,
  ]);
  expect(rows).toMatchObject([
    {
      source_settings: { instanceUrl: one.source.url },
      destination_settings: { instanceUrl: one.destination.url },
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain(one.source.token);
  expect(JSON.stringify(rows)).not.toContain(one.destination.token);
});

test("who tries numbers one by one waits", async () => {
  const route = oldLinkRoute({
    missesPerMinute: 2,
    resolve: async (_, address) =>
      address === "7" ? ({ newAddress: "https://desk.example/7" } as OldLink) : null,
  });
  const open = (address: string, ip = "192.0.2.1") =>
    route.answer(
      {
        ip,
        headers: {},
        params: { import: newId("imp") },
        raw: { url: `/r/x/${address}` },
      } as Parameters<Mounted["answer"]>[0],
      undefined as never,
    );
  for (const address of ["1", "2", "3"]) expect(await open(address)).toMatchObject({ status: 404 });
  await expect(open("7")).rejects.toMatchObject({ code: "rate_limited" });
  expect(await open("7", "192.0.2.2")).toMatchObject({ status: 302 });
});

test("the old address is taken from the target as it was sent", () => {
  expect(oldAddressIn("/r/imp_1/https://a.example/Ticket/Display.html?id=12")).toBe(
    "https://a.example/Ticket/Display.html?id=12",
  );
  expect(oldAddressIn("//r/imp_1//https:/a.example/wiki/a%2Fb")).toBe("https://a.example/wiki/a%2Fb");
  expect(oldAddressIn("/r/imp_1/https%3A%2F%2Fa.example%2F1%3Fx")).toBe("https://a.example/1?x");
  expect(oldAddressIn("/r/imp_1/tickets%2F1?utm=2")).toBe("tickets/1");
  expect(oldAddressIn("/r/imp_1/%E0%A4%A")).toBeNull();
});

test("the downloads have every record with a copy, safe for a spreadsheet", async () => {
  const one = await moved();
  const { db } = wizard.runs;
  await db.pool.query(
    "update ledger set dest_id = '=HYPERLINK(1)' where import_id = $1 and stream = 'tickets' and source_id = '8'",
    [one.importId],
  );
  const { links } = (await one.ask("GET", "/old-links")).json as WizardOldLinks;
  expect(links).toMatchObject({
    resolver: `https://portage.example/r/${one.importId}/`,
    oldUrl: one.source.url,
    readsAddresses: true,
  });
  expect(new Date(links?.until ?? 0).getTime()).toBeGreaterThan(Date.now() + 399 * 24 * 3_600_000);

  const json = (await one.ask("GET", "/old-links.json")).json as { stream: string; old_id: string }[];
  const tickets = json.filter(({ stream }) => stream === "tickets");
  expect(tickets.map(({ old_id }) => Number(old_id)).toSorted((a, b) => a - b)).toEqual([
    1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12,
  ]);
  const id = await newIdOf(one, "7");
  expect(tickets).toContainEqual({
    stream: "tickets",
    old_id: "7",
    old_address: `${one.source.url}/show/tickets/7`,
    new_id: id,
    new_address: `${one.destination.url}/show/tickets/${id}`,
  });
  const csv = await one.ask("GET", "/old-links.csv");
  expect(csv.headers["content-disposition"]).toBe(`attachment; filename="old-links-${one.importId}.csv"`);
  const lines = csv.text.trimEnd().split("\r\n");
  expect(lines[0]).toBe("stream,old_id,old_address,new_id,new_address");
  expect(lines).toHaveLength(json.length + 1);
  expect(lines).toContain(
    `tickets,7,${one.source.url}/show/tickets/7,${id},${one.destination.url}/show/tickets/${id}`,
  );
  expect(csv.text).toContain("'=HYPERLINK(1)");

  const fresh = await wizard.begin({ source: { counts } });
  expect((await fresh.ask("GET", "/old-links")).json).toEqual({ links: null });
  for (const path of ["/old-links.csv", "/old-links.json"])
    expect((await fresh.ask("GET", path)).status).toBe(404);
});

test("a partner pages through the links of its own imports, and of no others", async () => {
  const { db, token } = wizard.runs;
  const one = await moved();
  const get = async (path: string, by = token) => {
    const authorization = `Basic ${Buffer.from(`${by}:`).toString("base64")}`;
    return send(wizard.origin, {
      method: "GET",
      path: `/api/v2.1/imports/${path}`,
      headers: { authorization },
    });
  };
  const all = (await get(`${one.importId}/old-links`)).json as { old_id: string }[];
  const ids: string[] = [];
  for (let path: string | undefined = `${one.importId}/old-links?limit=4`; path !== undefined; ) {
    const { json, headers } = await get(path);
    const page = json as { old_id: string }[];
    expect(page.length).toBeLessThanOrEqual(4);
    ids.push(...page.map(({ old_id }) => old_id));
    path = /<https:\/\/portage\.example\/api\/v2\.1\/imports\/([^>]*)>; rel="next"/.exec(
      String(headers["link"] ?? ""),
    )?.[1];
  }
  expect(ids).toEqual(all.map(({ old_id }) => old_id));
  expect(ids.length).toBeGreaterThan(12);
  const address = encodeURIComponent(`${one.source.url}/show/tickets/7`);
  expect((await get(`${one.importId}/old-links?address=${address}`)).json).toMatchObject([{ old_id: "7" }]);
  expect((await get(`${one.importId}/old-links?address=999`)).json).toEqual([]);
  expect((await get(`${one.importId}/old-links?limit=0&cursor=x&address=%20`)).json).toEqual({
    limit: ["must be a number from 1 to 1000"],
    cursor: ["is not one of ours"],
    address: ["can't be blank"],
  });
  const other = await givenPartner(db);
  expect((await get(`${one.importId}/old-links`, other.token)).status).toBe(404);
  const fresh = await wizard.begin({ source: { counts } });
  expect((await get(`${fresh.importId}/old-links`)).json).toEqual([]);
});
