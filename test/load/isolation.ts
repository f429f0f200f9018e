// `npm run prove:isolation`: over random pairs of partners and for every route, no token, idempotency key or link of one reads or
// changes an import or a simulation of the other. No row changes, to the byte and to its transaction. --scale 0.1 for fewer.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Agent, request } from "undici";
import { type ImportEvent, moveImport } from "../../server/src/features/imports/index.ts";
import { createFixture, type MadeImport } from "../support/fixture.ts";
import { createPartners, type TestPartner } from "../support/partners.ts";
import { createSimulation } from "../support/simulation.ts";
import { prove } from "../support/proof.ts";
import { histogram } from "../support/statistics.ts";
import { snapshotRows } from "../support/snapshot.ts";

const sharedName = "jo@shared.example";

/** Event histories of imports that other partners then try to access. */
const histories: readonly (readonly ImportEvent[])[] = [
  [],
  [{ type: "sponsorship_accepted" }],
  [
    { type: "connected", side: "source" },
    { type: "connected", side: "destination" },
    { type: "sample_started" },
  ],
  [
    { type: "connected", side: "source" },
    { type: "connected", side: "destination" },
    { type: "sample_started" },
    { type: "run_done" },
    { type: "full_asked", payer: "partner_decides" },
  ],
  [{ type: "cancelled" }],
];

interface Owner {
  readonly partner: TestPartner;
  readonly imports: readonly MadeImport[];
  readonly name: string;
  readonly key: string;
  readonly keyBody: string;
  readonly keyAnswer: string;
  readonly eventId: string | undefined;
  readonly simulationId: string;
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;

await prove("isolation", async (proof) => {
  const fixture = await createFixture(proof);
  const apis = [await fixture.startApi(), await fixture.startApi()];
  const agent = new Agent({ connections: 16 });
  const partners = await createPartners(fixture.db, proof.size(200, 20));
  let turn = 0;
  const asked: string[] = [];
  const ask = async (
    partner: TestPartner,
    method: "GET" | "HEAD" | "POST",
    path: string,
    { body, key }: { body?: string; key?: string } = {},
  ): Promise<{ status: number; text: string }> => {
    for (;;) {
      const answer = await request(`${apis[turn++ % 2]?.url}${path}`, {
        dispatcher: agent,
        method,
        headers: {
          authorization: partner.authorization,
          ...(key && { "idempotency-key": key }),
          "content-type": "application/json",
        },
        ...(body && { body }),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 429) return { status: answer.statusCode, text };
      await sleep(Number(answer.headers["retry-after"]) * 1000);
    }
  };

  const owners = await Promise.all(
    partners.map(async (partner, index): Promise<Owner> => {
      const name = `customer-${index}@example.com`;
      const imports: MadeImport[] = [];
      for (const [at, history] of histories.entries()) {
        const made = await fixture.createImport(partner.id, {
          source_tool: "redmine",
          destination_username: at % 2 ? sharedName : name,
          destination_token: `secret-${index}`,
        });
        for (const event of history)
          await moveImport(fixture.db, event, {
            importId: made.id,
            partnerId: null,
            actor: { kind: "system" },
          });
        imports.push(made);
      }
      const key = `key-${index % 10}`; // many partners use the same keys
      const keyBody = JSON.stringify({ source_tool: "redmine", reference: `r-${index % 10}` });
      const first = await ask(partner, "POST", "/api/v2.1/imports", { body: keyBody, key });
      const events = JSON.parse((await ask(partner, "GET", "/api/v2.1/events")).text) as {
        event_id: string;
      }[];
      const simulationId = await createSimulation(apis[0]?.url ?? "", partner.authorization, {
        destination_username: sharedName,
      });
      return {
        partner,
        imports,
        name,
        key,
        keyBody,
        keyAnswer: first.text,
        eventId: events[0]?.event_id,
        simulationId,
      };
    }),
  );
  proof.holds(
    "each partner has events of its own",
    owners.every(({ eventId }) => eventId !== undefined),
  );
  const before = await snapshotRows(fixture.db);
  proof.say(`${partners.length} partners, ${before.size} rows that no other partner may access.`);

  const wrong: string[] = [];
  const expect = (what: string, isRight: boolean, got: unknown) => {
    asked.push(what);
    if (!isRight) wrong.push(`${what}: ${JSON.stringify(got).slice(0, 300)}`);
  };
  const idsIn = (text: string) => (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
  const makers = new Map<string, string>();
  const tryAll = async (owner: Owner, stranger: Owner) => {
    const by = stranger.partner;
    const target = pick(owner.imports);
    const own = new Set(stranger.imports.map(({ id }) => id));
    for (const method of ["GET", "HEAD"] as const) {
      const shown = await ask(by, method, `/api/v2.1/imports/${target.id}`);
      expect(`${method} /imports/:id`, shown.status === 404 && !shown.text.includes(target.linkToken), shown);
    }
    for (const action of ["payment/accept", "payment/reject", "cancel", "link"]) {
      const acted = await ask(by, "POST", `/api/v2.1/imports/${target.id}/${action}`);
      expect(`POST /imports/:id/${action}`, acted.status === 404, acted);
    }
    const delivered = await ask(by, "GET", `/api/v2.1/webhook-deliveries?event_id=${owner.eventId}`);
    expect("GET /webhook-deliveries of another's event", delivered.text === "[]", delivered);
    const replayed = await ask(by, "POST", `/api/v2.1/webhook-deliveries/${owner.eventId}/replay`);
    expect("POST /webhook-deliveries/:id/replay", replayed.status === 404, replayed);
    const named = await ask(
      by,
      "GET",
      `/api/v2.1/imports?destination_username=${encodeURIComponent(owner.name)}`,
    );
    expect("GET /imports of another's customer", named.status === 200 && named.text === "[]", named);
    const shared = `/api/v2.1/imports?destination_username=${encodeURIComponent(sharedName)}`;
    const listed = await ask(by, "GET", shared);
    expect(
      "GET /imports of a customer of both",
      listed.status === 200 && idsIn(listed.text).length > 0 && idsIn(listed.text).every((id) => own.has(id)),
      listed,
    );
    const cursor = Buffer.from(target.id).toString("base64url");
    const paged = await ask(by, "GET", `${shared}&limit=100&cursor=${cursor}`);
    expect(
      "GET /imports after another's import",
      paged.status === 200 && idsIn(paged.text).every((id) => own.has(id)),
      paged,
    );
    const events = await ask(by, "GET", "/api/v2.1/events");
    expect("GET /events", events.status === 200 && idsIn(events.text).every((id) => own.has(id)), events);
    const after = await ask(by, "GET", `/api/v2.1/events?after=${owner.eventId}`);
    expect("GET /events after another's event", after.status === 422, after);
    const oldLinks = await ask(by, "GET", `/api/v2.1/imports/${target.id}/old-links`);
    expect("GET /imports/:id/old-links", oldLinks.status === 404, oldLinks);
    const sandbox = await ask(by, "GET", `/api/sandbox/imports/${target.id}`);
    expect("GET /imports/:id in the sandbox", sandbox.status === 404, sandbox);
    const simulated = `/api/simulator/imports/${owner.simulationId}`;
    const played = await ask(by, "GET", simulated);
    expect("GET /imports/:id in the simulator", played.status === 404, played);
    for (const action of ["payment/accept", "payment/reject", "cancel"]) {
      const acted = await ask(by, "POST", `${simulated}/${action}`);
      expect(`POST /imports/:id/${action} in the simulator`, acted.status === 404, acted);
    }
    const mine = await ask(by, "GET", shared.replace("v2.1", "simulator"));
    expect(
      "GET /imports in the simulator",
      isDeepStrictEqual(idsIn(mine.text), [stranger.simulationId]),
      mine,
    );
    // Neither exists in the other API, not even for its owner.
    const asReal = await ask(owner.partner, "GET", `/api/v2.1/imports/${owner.simulationId}`);
    expect("GET /imports/:id of a simulation", asReal.status === 404, asReal);
    const asPlay = await ask(owner.partner, "GET", `/api/simulator/imports/${target.id}`);
    expect("GET /imports/:id of an import in the simulator", asPlay.status === 404, asPlay);
    // Another partner's key does not affect mine: neither its answer nor its fingerprint.
    const made = await ask(by, "POST", "/api/v2.1/imports", {
      key: `${owner.key}-tried`,
      body: owner.keyBody,
    });
    const id = (JSON.parse(made.text) as { id: string }).id;
    const maker = makers.get(id) ?? by.id;
    makers.set(id, maker);
    expect("POST /imports with a key that others use", made.status === 201 && maker === by.id, made);
    const again = await ask(owner.partner, "POST", "/api/v2.1/imports", {
      key: owner.key,
      body: owner.keyBody,
    });
    expect("POST /imports again by the owner", again.status === 201 && again.text === owner.keyAnswer, again);
    const link = await request(`${apis[0]?.url}/imports/${target.id}/${target.linkToken}`, {
      dispatcher: agent,
    });
    await link.body.dump();
    const isClosed = target === owner.imports.at(-1);
    expect("the customer's link", link.statusCode === (isClosed ? 410 : 303), link.statusCode);
    const foreign = pick(stranger.imports).linkToken;
    const mixed = await request(`${apis[1]?.url}/imports/${target.id}/${foreign}`, { dispatcher: agent });
    await mixed.body.dump();
    expect("another import's link token", mixed.statusCode === 404, mixed.statusCode);
  };
  const pairs = proof.size(1_000, 50);
  let left = pairs;
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      while (left-- > 0) {
        const owner = pick(owners);
        const stranger = pick(owners.filter((each) => each !== owner));
        await tryAll(owner, stranger);
      }
    }),
  );
  for (const line of wrong.slice(0, 10)) proof.say(line);
  proof.holds("every route hides and protects another's import", wrong.length === 0, histogram(asked));
  const now = await snapshotRows(fixture.db);
  const changed = [...before].filter(([key, row]) => now.get(key) !== row).map(([key]) => key);
  proof.holds(
    "no row changed, to the byte and to its transaction",
    changed.length === 0,
    changed.slice(0, 5),
  );
  return {
    pairs,
    partners: partners.length,
    tried: asked.length,
    wrong: wrong.length,
    rows: before.size,
    changed: changed.length,
    made_with_shared_keys: makers.size,
  };
});
