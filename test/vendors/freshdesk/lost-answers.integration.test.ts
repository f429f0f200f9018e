import type { Connector } from "@portage/connector-kit";
import { createRandom } from "@portage/connector-kit/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFreshdesk } from "../../../connectors/freshdesk/index.ts";
import { createRunsFixture } from "../../runs/runs-fixture.ts";
import { standInConnector } from "../../tools/stand-in/connector.ts";
import { startStandIn } from "../../tools/stand-in/stand-in.ts";
import { newSeed } from "../kit/seed-nasty.ts";
import { originsOf } from "./origins.ts";
import { startFreshdesk } from "./stand-in.ts";

const counts = {
  users: 0,
  organizations: 8,
  contacts: 24,
  groups: 3,
  tickets: 40,
  comments: 90,
  attachments: 25,
};

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const creates = [
  "POST /companies",
  "POST /contacts",
  "POST /groups",
  "POST /tickets",
  "POST /tickets/{ticket_id}/notes",
  "PUT /tickets/{ticket_id}",
  "PUT /conversations/{conversation_id}",
  "POST /admin/ticket_fields",
];
const removes = [
  "DELETE /tickets/{ticket_id}",
  "DELETE /conversations/{conversation_id}",
  "DELETE /contacts/{contact_id}/hard_delete",
  "DELETE /companies/{company_id}",
  "DELETE /groups/{group_id}",
];

test("answers of writes are lost at random: nothing is doubled or missing, and the undo leaves nothing", async () => {
  const seed = newSeed("lost answers");
  const source = await startStandIn({ counts, hostile: false, largeText: 100, fileBytes: 2_000 });
  const freshdesk = await startFreshdesk({ quotas: "off", sizes: null });
  const before = freshdesk.dump();
  const random = createRandom(seed, 0);
  for (const operation of [...creates, ...removes])
    for (let call = 0; call < 200; call += 1) {
      const isLost = random.below(100) < (creates.includes(operation) ? 15 : 4);
      if (isLost) freshdesk.fault(operation, random.below(3) === 0 ? { status: 502 } : "lose answer");
      else freshdesk.fault(operation, { delayMs: 0 });
    }
  const connector = createFreshdesk(originsOf(freshdesk)) as unknown as Connector;
  const one = await fixture.begin(
    { connector: standInConnector({ family: "helpdesk", paging: "keyset" }) as never, tool: source },
    {
      connector: {
        ...connector,
        manifest: { ...connector.manifest, grace: { lateWriteMs: 100, findLagMs: 0 } },
      } as never,
      tool: { url: freshdesk.url, token: freshdesk.credentials.apiKey },
    },
    { partitions: 2, times: { leaseMs: 60_000, writeMs: 30_000 } },
  );
  await one.run({ type: "full_started" });
  const lost = freshdesk.calls.filter(({ status }) => status === null || status === 502).length;
  expect(lost).toBeGreaterThan(20);
  const { tables } = freshdesk;
  const tickets = tables.tickets.live();
  const said = tickets.flatMap(({ data }) => data.conversations);
  const files = freshdesk.dump().attachments;
  expect({
    tickets: tickets.length,
    keys: new Set(tickets.map(({ data }) => data.custom_fields["cf_import_key"])).size,
    comments: said.length,
    bodies: new Set(said.map(({ body }) => /\(portage:([^)]+)\)/.exec(body)?.[1])).size,
    attachments: files.length,
    contacts: new Set(tables.people.live().flatMap(({ data }) => data.unique_external_id ?? [])).size,
    people: tables.people.live().length - 1,
    fields: tables.fields.live().length,
  }).toEqual({
    tickets: counts.tickets,
    keys: counts.tickets,
    comments: counts.comments,
    bodies: counts.comments,
    attachments: counts.attachments,
    contacts: counts.contacts,
    people: counts.contacts,
    fields: 1,
  });
  const states = await one.ledger();
  expect(states.filter(({ reason }) => reason !== null && reason !== "found_again")).toEqual([]);
  await one.run({ type: "undo_started" });
  expect([freshdesk.dump(), (await one.ledger()).filter(({ reason }) => reason !== null)]).toEqual([
    before,
    [],
  ]);
  expect([freshdesk.breaches.all, freshdesk.lies, freshdesk.counted.mails]).toEqual([[], [], 0]);
  await source.close();
  await freshdesk.close();
});
