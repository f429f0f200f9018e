import type { Import } from "@portage/sdk";
import { describe, expect, test } from "vitest";
import { live } from "./api.ts";
import { simulator, useSimulator } from "./simulator-fixture.ts";

const fixture = useSimulator();
const { api } = fixture;

type Partner = Awaited<ReturnType<typeof fixture.partner>>;

const show = async ({ ask }: Partner, id: string) => {
  const { status, json } = await ask("GET", `/imports/${id}`);
  expect(status).toBe(200);
  return json as Import;
};

const untilAsked = [
  "Waiting to start sample migration",
  "Sample migration in progress",
  "Sample migration completed",
  "import.full_requested",
];
const moved = ["In preparation", "Migration in progress", "Migration completed"];

describe("each scenario, delivered to a receiver that checks both signatures", () => {
  test.each([
    ["happy", [...untilAsked, ...moved]],
    ["warnings", [...untilAsked, ...moved]],
    [
      "expired_sign_in",
      [...untilAsked, ...moved.slice(0, 2), "import.attention_required", ...moved.slice(2)],
    ],
    ["rejected", untilAsked],
    ["undo", [...untilAsked, ...moved, "Undo in progress", "Migration cleaned"]],
  ])("%s", async (reference, expected) => {
    const acme = await fixture.partner();
    const { id, token } = await acme.create({ reference });
    expect(id).toMatch(/^sim_[0-9a-z]{26}$/);
    await fixture.walk(id);
    const events = await acme.got();
    expect(events.map(({ type, status }) => (type === "import.status_changed" ? status : type))).toEqual(
      expected,
    );
    for (const event of events) expect(event).toMatchObject({ id, token, reference, test: true });
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(expected.length);
    const shown = await show(acme, id);
    expect(shown.status).toBe(events.at(-1)?.status);
    expect(shown.sponsorship).toBe(reference === "rejected" ? "rejected" : "undecided");
    expect(shown.warnings?.map(({ code }) => code)).toEqual(
      reference === "warnings" ? ["rejected", "too_large", "user_unmatched"] : undefined,
    );
  });
});

test("plays the happy scenario for any other reference or none, and echoes the reference", async () => {
  const acme = await fixture.partner();
  for (const reference of ["acme-42", null]) {
    const { id } = await acme.create({ reference });
    await fixture.walk(id);
    expect(await show(acme, id)).toMatchObject({ reference, status: "Migration completed" });
  }
});

test("advances by time alone: without a worker, a request shows the current status", async () => {
  const acme = await fixture.partner();
  const { id } = await acme.create();
  expect(await show(acme, id)).toMatchObject({ status: "Collecting credentials", items: {} });
  await fixture.comeDue(id, 60);
  expect((await show(acme, id)).status).toBe("Migration completed");
  const { json } = await acme.ask("GET", "/events");
  expect(json).toMatchObject({ length: 7, 0: { id, test: true, previous_status: "Collecting credentials" } });
});

test("an expired sign-in is a warning and a waiting run, until the customer signs in", async () => {
  const acme = await fixture.partner({ payer: "partner" });
  const { id } = await acme.create({ reference: "expired_sign_in:acme-42" });
  await fixture.pass(id, 9.5);
  expect(await show(acme, id)).toMatchObject({
    status: "Migration in progress",
    progress: { state: "waiting" },
    warnings: [{ code: "action_required" }],
  });
  await fixture.pass(id, 3.5);
  const { warnings, progress } = await show(acme, id);
  expect(warnings).toBeUndefined();
  expect(progress).toMatchObject({ state: "running" });
});

describe("actions of the partner", () => {
  const asked = async () => {
    const acme = await fixture.partner();
    const { id } = await acme.create();
    await fixture.pass(id, 6.5);
    expect((await show(acme, id)).status).toBe("Sample migration completed");
    return { acme, id };
  };

  test("accepting continues the migration at once", async () => {
    const { acme, id } = await asked();
    expect((await acme.ask("POST", `/imports/${id}/payment/accept`)).status).toBe(200);
    // Its next turn is seconds away, not an hour as before.
    await fixture.comeDue(id, 60 - 3_600);
    expect(await show(acme, id)).toMatchObject({ status: "Migration completed", sponsorship: "accepted" });
    const { status, json } = await acme.ask("POST", `/imports/${id}/payment/reject`);
    expect([status, json]).toEqual([422, { base: ["The full migration has already started."] }]);
  });

  test("after a rejection the customer buys", async () => {
    const { acme, id } = await asked();
    expect((await acme.ask("POST", `/imports/${id}/payment/reject`)).status).toBe(200);
    await fixture.comeDue(id, 60);
    expect(await show(acme, id)).toMatchObject({ status: "Migration completed", sponsorship: "rejected" });
  });

  test("cancelling: 404 from then on, and an event", async () => {
    const { acme, id } = await asked();
    expect((await acme.ask("POST", `/imports/${id}/cancel`)).status).toBe(200);
    for (const [method, path] of [
      ["GET", `/imports/${id}`],
      ["POST", `/imports/${id}/cancel`],
      ["POST", `/imports/${id}/payment/accept`],
    ] as const)
      expect((await acme.ask(method, path)).status).toBe(404);
    await fixture.deliver();
    expect((await acme.got()).at(-1)).toMatchObject({ id, type: "import.closed", test: true });
  });

  test("lists its customers' simulations, newest first, in pages", async () => {
    const acme = await fixture.partner();
    const given = { destination_username: "Jo@acme.example" };
    const first = await acme.create(given);
    const second = await acme.create(given);
    await acme.create({ destination_username: "someone-else" });
    const at = "/imports?destination_username=jo%40acme.example";
    const { json } = await acme.ask("GET", at);
    expect((json as Import[]).map(({ id }) => id)).toEqual([second.id, first.id]);
    const { headers } = await acme.ask("GET", `${at}&limit=1`);
    const [, next = ""] =
      /<https:\/\/portage\.example\/api\/simulator(.*)>; rel="next"/.exec(String(headers.link)) ?? [];
    expect((await acme.ask("GET", next)).json).toMatchObject([{ id: first.id }]);
  });
});

describe("what the simulator shares with version 2.1", () => {
  test("the same validation, with identical messages", async () => {
    const acme = await fixture.partner();
    for (const body of [{}, { source_tool: "abacus" }, { source_tool: "redmine", family: "crm" }]) {
      const answers = await Promise.all(
        [live, simulator].map((base) =>
          api.ask({ method: "POST", path: `${base}/imports`, token: acme.token, body }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([422, 422]);
      expect(answers[1]?.json).toEqual(answers[0]?.json);
    }
    const { status, json } = await acme.ask("POST", "/imports", {
      source_tool: "request-tracker",
      destination_token: "invalid",
    });
    expect([status, json]).toMatchObject([422, { destination: ["The destination refused this token."] }]);
  });

  test("authentication, and one rate limit for both", async () => {
    expect((await api.ask({ path: `${simulator}/tools` })).status).toBe(401);
    const { token } = await api.partner();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, no) =>
        api.ask({ path: `${no % 2 === 0 ? live : simulator}/tools`, token }),
      ),
    );
    expect(answers.some(({ status }) => status === 429)).toBe(true);
    expect(answers.every(({ headers }) => headers.ratelimit !== undefined)).toBe(true);
  });

  test("idempotency: one simulation per key and partner; another body is refused", async () => {
    const acme = await fixture.partner();
    const other = await fixture.partner();
    const send = (of: Partner, reference: string) =>
      api.ask({
        method: "POST",
        path: `${simulator}/imports`,
        token: of.token,
        headers: { "idempotency-key": "k-1" },
        body: { source_tool: "request-tracker", reference },
      });
    const both = await Promise.all([send(acme, "a"), send(acme, "a")]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    expect(both[0]?.json).toEqual(both[1]?.json);
    const refused = await send(acme, "b");
    expect([refused.status, refused.json]).toMatchObject([
      422,
      { base: ["This idempotency key was used with another body."] },
    ]);
    expect((await send(other, "a")).json).not.toEqual(both[0]?.json);
  });

  test("deliveries: retried, stored, and replayed on request", async () => {
    const acme = await fixture.partner({ payer: "partner" });
    const { id } = await acme.create();
    let calls = 0;
    fixture.receiver.answer(() => ({ status: (calls += 1) === 1 ? 500 : 200 }));
    await fixture.pass(id, 1.5);
    await fixture.deliver();
    // On a slow machine the retry has come due, and was made, by now.
    await api.db.pool.query(
      "update webhook_deliveries set due_at = now() where simulation_id = $1 and state = 'waiting'",
      [id],
    );
    await fixture.deliver();
    const { json } = await acme.ask("GET", "/webhook-deliveries");
    const [delivery] = json as { event_id: string }[];
    expect(json).toMatchObject([
      {
        id,
        state: "delivered",
        attempts: [
          { status: 500, error: "bad_status" },
          { status: 200, error: null },
        ],
      },
    ]);
    expect((await acme.ask("POST", `/webhook-deliveries/${delivery?.event_id}/replay`)).status).toBe(200);
    await fixture.deliver();
    expect((await acme.got()).map(({ event_id }) => event_id)).toEqual(Array(3).fill(delivery?.event_id));
  });
});

test("a test event is found by its id and replayed, in the simulator and in version 2.1", async () => {
  const acme = await fixture.partner();
  const other = await fixture.partner();
  const bases = [simulator, live];
  for (const base of bases) {
    const { json } = await acme.askAt(base, "POST", "/webhook-endpoint/test");
    const { event_id } = json as { event_id: string };
    await fixture.deliver();
    for (const at of bases) {
      const found = await acme.askAt(at, "GET", `/webhook-deliveries?event_id=${event_id}`);
      expect(found.json).toMatchObject([{ event_id, type: "webhook.test", state: "delivered" }]);
      expect((await acme.askAt(at, "POST", `/webhook-deliveries/${event_id}/replay`)).status).toBe(200);
      await fixture.deliver();
      expect((await other.askAt(at, "GET", "/webhook-deliveries")).json).toEqual([]);
      expect((await other.askAt(at, "POST", `/webhook-deliveries/${event_id}/replay`)).status).toBe(404);
    }
  }
  expect(await acme.got()).toHaveLength(6);
});

test("updated_at is when the last turn or action happened, however late it is noticed", async () => {
  const acme = await fixture.partner();
  const { id } = await acme.create();
  const at = async (of: "updated_at" | "created_at" = "updated_at") => Date.parse((await show(acme, id))[of]);
  expect(await at()).toBe(await at("created_at"));
  await fixture.pass(id, 6.5);
  const asked = await at();
  // The fixture moves the turns into the past, and not the creation.
  expect(asked).not.toBe(await at("created_at"));
  expect(await at()).toBe(asked);
  await acme.ask("POST", `/imports/${id}/link`);
  const renewed = await at();
  expect(renewed).toBeGreaterThan(asked);
  await acme.ask("POST", `/imports/${id}/payment/reject`);
  const rejected = await at();
  expect(rejected).toBeGreaterThan(renewed);
  await acme.ask("POST", `/imports/${id}/payment/reject`);
  expect(await at()).toBe(rejected);
  const { json } = await acme.ask("GET", "/imports?family=helpdesk");
  expect(json).toMatchObject([{ id, updated_at: new Date(rejected).toISOString() }]);
});

test("a simulation sends one import.progress during a run, if the partner asked for it", async () => {
  const acme = await fixture.partner();
  const { id } = await acme.create({ reference: "happy" });
  const type = "import.progress";
  const progress = async () => (await acme.got()).filter((event) => event.type === type);
  const seen: string[] = [];
  for (let second = 0; second < 6; second += 1) {
    await fixture.pass(id, 1);
    const { json } = await acme.ask("GET", `/imports/${id}`);
    seen.push((json as { status_code: string }).status_code);
    // Not while an event of it is on its way.
    expect(await fixture.sendProgress()).toBe(0);
    await fixture.deliver();
    if (seen.at(-1) === "sample_in_progress") break;
    expect(await fixture.sendProgress()).toBe(0);
  }
  expect(seen.at(-1)).toBe("sample_in_progress");
  expect(await fixture.sendProgress()).toBe(0);
  await acme.ask("POST", "/webhook-endpoint", { progress: true });
  expect([await fixture.sendProgress(), await fixture.sendProgress()]).toEqual([1, 0]);
  expect(await progress()).toMatchObject([
    { id, type, test: true, status_code: "sample_in_progress", progress: { phase: "sample", total: 37 } },
  ]);
  await fixture.walk(id);
  expect(await fixture.sendProgress()).toBe(0);
});
