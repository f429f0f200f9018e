import { takeDisabledNotices } from "./store-notices.ts";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { toSample, useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import { createOutbound } from "../../platform/outbound/index.ts";
import { enableTarget, findTarget } from "./store-targets.ts";
import { targetWarning } from "./target.ts";
import { nextDelayMs, webhookTimes } from "./times.ts";

const fixture = useWebhookFixture();

const closedImport = async (of: Awaited<ReturnType<typeof fixture.partner>>) => {
  const made = await fixture.newImport(of);
  await fixture.move(made.id, { type: "cancelled" });
  return made;
};

test("the schedule: nine delays with a jitter of a tenth, then the delivery fails", () => {
  const times = webhookTimes();
  const hours = [5 / 3600, 5 / 60, 0.5, 2, 5, 10, 14, 20, 24].map((each) => each * 3_600_000);
  expect(hours.map((_, index) => nextDelayMs(times, index + 1, () => 0.5))).toEqual(hours);
  expect(nextDelayMs(times, 10)).toBeNull();
  for (let i = 0; i < 1_000; i++) {
    const delay = nextDelayMs(times, 1) ?? 0;
    expect(delay).toBeGreaterThanOrEqual(4_500);
    expect(delay).toBeLessThanOrEqual(5_500);
  }
  expect(nextDelayMs(webhookTimes(0.01), 1, () => 0.5)).toBe(50);
});

test("a delivery fails after ten attempts, all of which are kept, and the next event continues", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, ...toSample.slice(0, 3));
  fixture.receiver.answer(() => ({ status: acme.got().length <= 10 ? 503 : 200, body: "busy" }));
  for (let i = 0; i < 10; i++) {
    await fixture.drive();
    await fixture.hurry(acme.partner.id);
  }
  await fixture.drive();
  const [second, first] = await fixture.deliveries(acme.partner.id);
  expect(first).toMatchObject({ state: "failed", nextAttemptAt: null });
  expect(first?.attempts).toHaveLength(10);
  expect(first?.attempts[0]).toMatchObject({ status: 503, error: "bad_status", answer: "busy" });
  expect(second).toMatchObject({ state: "delivered", attempts: [{ status: 200, error: null }] });
});

test("the row has the time of the next attempt, and nothing is sent before it", async () => {
  const acme = await fixture.partner();
  await closedImport(acme);
  fixture.receiver.answer(() => ({ status: 500 }));
  const webhooks = fixture.webhooks({ times: webhookTimes(), random: () => 0.5 });
  const [taken] = await webhooks.takeDue(10);
  if (!taken) throw new Error("Nothing was taken.");
  const next = await webhooks.deliver(taken);
  expect(next).toMatchObject({ eventId: taken.row.eventId, delayMs: 5_000 });
  const [delivery] = await fixture.deliveries(acme.partner.id);
  const inMs = (delivery?.nextAttemptAt?.getTime() ?? 0) - (delivery?.attempts[0]?.at.getTime() ?? 0);
  expect(inMs).toBeGreaterThan(4_000);
  expect(await webhooks.takeDue(10)).toEqual([]);
});

test("a retry that is late, repeated or of another generation changes nothing", async () => {
  const acme = await fixture.partner();
  await closedImport(acme);
  fixture.receiver.answer(() => ({ status: acme.got().length === 1 ? 500 : 200 }));
  const webhooks = fixture.webhooks();
  const [taken] = await webhooks.takeDue(10);
  if (!taken) throw new Error("Nothing was taken.");
  const next = await webhooks.deliver(taken);
  if (!next) throw new Error("There is no next attempt.");
  expect(await webhooks.retry({ ...next, generation: next.generation - 1 }, 100)).toBeNull();
  expect(await webhooks.retry({ ...next, generation: next.generation + 1 }, 100)).toBeNull();
  expect(acme.got()).toHaveLength(1);
  expect(await webhooks.retry(next, 100)).toBeNull();
  expect(await webhooks.retry(next, 100)).toBeNull();
  expect(acme.got()).toHaveLength(2);
  expect(await fixture.deliveries(acme.partner.id)).toMatchObject([{ state: "delivered" }]);
});

test("another worker repeats an attempt whose lease expired, and the first result changes nothing", async () => {
  const acme = await fixture.partner();
  await closedImport(acme);
  const slow = fixture.webhooks();
  const other = fixture.webhooks();
  const [lost] = await slow.takeDue(10);
  if (!lost) throw new Error("Nothing was taken.");
  expect(await other.takeDue(10)).toEqual([]);
  await fixture.hurry(acme.partner.id);
  expect(await fixture.drive(other)).toHaveLength(1);
  fixture.receiver.answer(() => ({ status: 500 }));
  expect(await slow.deliver(lost)).toBeNull();
  const [delivery] = await fixture.deliveries(acme.partner.id);
  expect(delivery).toMatchObject({ state: "delivered" });
  expect(delivery?.attempts).toHaveLength(2);
  const ids = acme.got().map(({ headers }) => headers["webhook-id"]);
  expect(ids).toEqual([delivery?.eventId, delivery?.eventId]);
});

test("no answer in time is a failure, and so is an address that is not allowed", async () => {
  const silent = await fixture.partner();
  const absent = await fixture.partner({
    url: `${fixture.receiver.url.replace("127.0.0.1", "localhost")}/x`,
  });
  await closedImport(silent);
  await closedImport(absent);
  fixture.receiver.answer(() => "never");
  await fixture.drive(fixture.webhooks({ times: { ...webhookTimes(), requestMs: 300 } }));
  const [first] = await fixture.deliveries(silent.partner.id);
  expect(first).toMatchObject({ state: "waiting", attempts: [{ status: null, error: "timed_out" }] });
  // The operator allows only the exact name.
  const [second] = await fixture.deliveries(absent.partner.id);
  expect(second?.attempts).toMatchObject([{ status: null, error: "insecure" }]);
});

test("a redirect is not followed: the attempt fails as redirected", async () => {
  const acme = await fixture.partner();
  await closedImport(acme);
  const elsewhere = "/where-the-redirect-leads";
  fixture.receiver.answer(() => ({
    status: 307,
    headers: { location: `${fixture.receiver.url}${elsewhere}` },
  }));
  await fixture.drive();
  expect(fixture.receiver.at(elsewhere)).toEqual([]);
  const [delivery] = await fixture.deliveries(acme.partner.id);
  expect(delivery?.attempts).toMatchObject([{ status: 307, error: "redirected" }]);
});

test("an attempt keeps the first bytes of the answer, without the import's token, whole or cut in two", async () => {
  const acme = await fixture.partner();
  const { token } = await closedImport(acme);
  const filled = "x".repeat(512 - 20);
  for (const body of [
    `echo ${token} and ${token.toUpperCase()}`,
    `${filled}${token}`,
    `nul\0 ${"y".repeat(70_000)}`,
  ]) {
    fixture.receiver.answer(() => ({ status: 500, body }));
    await fixture.drive();
    await fixture.hurry(acme.partner.id);
  }
  const [delivery] = await fixture.deliveries(acme.partner.id);
  const answers = delivery?.attempts.map(({ answer }) => answer) ?? [];
  expect(answers[0]).toBe("echo [token] and [token]");
  expect(answers[1]).toBe(filled);
  expect(answers[2]).toMatch(/^nul y+$/);
  expect(answers[2]?.length).toBeLessThanOrEqual(512);
  expect(fixture.lines.join("")).not.toContain(token);
});

test("410 disables the target; new events wait, and are sent in order once it is enabled", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, ...toSample.slice(0, 2));
  fixture.receiver.answer(() => ({ status: 410 }));
  await fixture.drive();
  const target = await findTarget(fixture.db, acme.partner.id);
  expect(target).toMatchObject({ disabledBecause: "gone" });
  expect(target && targetWarning(target)).toContain("410");
  expect(fixture.lines.join("")).toContain("webhook target disabled");
  const notices = await takeDisabledNotices(fixture.db, 100, 60_000);
  expect(notices.find(({ partnerId }) => partnerId === acme.partner.id)).toMatchObject({
    because: "gone",
    attempts: 1,
  });
  await fixture.move(id, ...toSample.slice(2));
  await fixture.hurry(acme.partner.id);
  fixture.receiver.answer(() => ({ status: 200 }));
  expect(await fixture.drive()).toEqual([]);
  await enableTarget(fixture.db, acme.partner.id, "operator");
  await fixture.drive();
  const codes = acme.got().map(({ body }) => (JSON.parse(body) as { status_code: string }).status_code);
  expect(codes).toEqual([
    "waiting_for_sample",
    "waiting_for_sample",
    "sample_in_progress",
    "sample_completed",
  ]);
});

test("five days without a success disable the target, counted from the first failure after the last success", async () => {
  const acme = await fixture.partner();
  const failAfter = async (hours: number) => {
    await closedImport(acme);
    await fixture.db.pool.query(
      "update webhook_targets set failing_since = failing_since - make_interval(hours => $2) where partner_id = $1",
      [acme.partner.id, hours],
    );
    fixture.receiver.answer(() => ({ status: 500 }));
    await fixture.drive(fixture.webhooks({ times: webhookTimes() }));
    return (await findTarget(fixture.db, acme.partner.id))?.disabledBecause;
  };
  expect(await failAfter(0)).toBeNull();
  expect(await failAfter(118)).toBeNull();
  // One success resets the count.
  await closedImport(acme);
  fixture.receiver.answer(() => ({ status: 204 }));
  await fixture.drive();
  expect((await findTarget(fixture.db, acme.partner.id))?.failingSince).toBeNull();
  expect(await failAfter(118)).toBeNull();
  expect(await failAfter(122)).toBe("no_success");
});

test("a message that waited for its connection is built again: it is never older than a second when sent", async () => {
  let openedAt = 0;
  const waiting: (() => void)[] = [];
  const texts: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {}); // the connection of the message that became too old is reset
    socket.once("data", (data) => {
      texts.push(data.toString());
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  // Resolving the name takes long, like a slow resolver or handshake.
  const outbound = createOutbound({
    allow: [`slow.example:${port}`],
    resolve: async () => {
      if (!openedAt) await new Promise<void>((resolve) => waiting.push(resolve));
      return ["127.0.0.1"];
    },
  });
  const acme = await fixture.partner({ url: `http://slow.example:${port}/hook` });
  await closedImport(acme);
  const driven = fixture.drive(fixture.webhooks({ outbound }));
  setTimeout(() => {
    openedAt = Date.now();
    for (const go of waiting) go();
  }, 2_000);
  await driven;
  await outbound.close();
  server.close();
  expect(await fixture.deliveries(acme.partner.id)).toMatchObject([{ state: "delivered" }]);
  expect(texts).toHaveLength(1);
  const { timestamp } = JSON.parse(texts[0]?.split("\r\n\r\n")[1] ?? "") as { timestamp: number };
  expect(timestamp).toBeGreaterThan(openedAt - 1_000);
});
