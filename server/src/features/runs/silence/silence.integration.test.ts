import type { Connector, DestinationStream } from "@portage/connector-kit";
import nodemailer from "nodemailer";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { patienceMs } from "../../../../../test/support/patience.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import type { StandInConnectorOptions } from "../../../../../test/tools/stand-in/connector-options.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { startCanaryMailbox } from "../../../background/canary-mailbox.ts";
import { createLog } from "../../../platform/log.ts";
import { findSilence, listOpenChecks } from "./store-silence.ts";
import type { SilenceNeeds } from "./measured-by.ts";

let ground: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  ground = await createRunsFixture();
});
afterAll(() => ground.drop());

const counts = { users: 3, contacts: 4, tickets: 12, comments: 6 };
const all = 3 + 4 + 12 + 6;
/** A contact, a group, two tickets and two comments. */
const canaries = 6;

type Change = (stream: DestinationStream) => Partial<DestinationStream>;

/** The stand-in, with the streams of its canaries changed. */
const measurable = (silence: StandInConnectorOptions["silence"], change: Change = () => ({})): Connector => {
  const made = standInConnector({
    family: "helpdesk",
    paging: "keyset",
    settles: "lookup",
    lateWriteMs: 100,
    ...(silence ? { silence } : {}),
  }) as unknown as Connector;
  if (!made.silence) return made;
  const streams = (made.silence.canaries.helpdesk ?? []).map((each) => ({ ...each, ...change(each) }));
  return { ...made, silence: { ...made.silence, canaries: { helpdesk: streams } } };
};

const given = async (connector: Connector, silence: SilenceNeeds = { mailbox: null, waitMs: 0 }) => {
  const source = await startStandIn({ counts, hostile: false, largeText: 0 });
  const destination = await startStandIn({ seed: "there", upserts: false });
  const one = await ground.begin(
    { connector: measurable(undefined) as never, tool: source },
    { connector: connector as never, tool: destination },
    { silence },
  );
  const cause = async () =>
    (
      await ground.db.sql
        .selectFrom("runs")
        .select("failureMessage")
        .where("importId", "=", one.importId)
        .orderBy("number", "desc")
        .executeTakeFirst()
    )?.failureMessage;
  const open = () => listOpenChecks(ground.db, one.importId);
  const result = () => findSilence(ground.db, one.importId);
  return { one, destination, cause, open, result };
};

/** The titles of what is there: canaries name themselves. */
const canariesIn = (tool: StandIn) =>
  Object.keys(counts)
    .concat("groups")
    .flatMap((stream) => [...tool.written(stream).all()])
    .filter(({ record }) => JSON.stringify(record).includes("canary-"));

test(
  "a silent tool is measured with zero messages, and the run copies everything and no canary",
  async () => {
    const { one, destination, open, result } = await given(measurable("log"));
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(await result()).toMatchObject({ records: canaries, messages: [] });
    expect(await open()).toEqual([]);
    expect(canariesIn(destination)).toEqual([]);
    expect(destination.stats()).toMatchObject({ written: all, duplicates: 0, mails: 0 });
    const tasks = (await one.partitions()).map(({ task }) => task);
    expect(tasks.slice(0, 2)).toEqual(["prepare", "silence"]);
  },
  patienceMs,
);

test(
  "a message stops the run before it copies anything; it says which record and what to do, and can be tried again",
  async () => {
    const { one, destination, cause, result } = await given(measurable("log"));
    destination.notify(true);
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("in_preparation");
    expect(destination.stats().written).toBe(0);
    expect(await cause()).toMatch(
      /^Stand-in sends messages when \w+ are copied: “.*”\. Switch off “Always notify” .* Nothing of yours was copied: /,
    );
    expect((await result())?.messages.length).toBeGreaterThan(0);
    destination.notify(false);
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(await result()).toMatchObject({ records: canaries, messages: [] });
    expect(destination.stats().written).toBe(all);
  },
  patienceMs,
);

test(
  "without a way to measure nothing is written before the copy, and nothing is claimed",
  async () => {
    for (const connector of [measurable(undefined), measurable("mailbox")]) {
      const { one, destination, result } = await given(connector);
      await one.run({ type: "full_started" });
      expect(await one.status()).toBe("migration_completed");
      expect(await result()).toBeUndefined();
      expect(destination.stats().writes["groups"]).toBeUndefined();
    }
  },
  patienceMs,
);

test(
  "a mail to the canary's address is caught by the mailbox, with the record that it is about",
  async () => {
    const address = "canary@portage.example.com";
    const log = createLog("silent");
    const mailbox = await startCanaryMailbox({ db: ground.db, log, address, host: "127.0.0.1", port: 0 });
    const mailer = nodemailer.createTransport({ host: "127.0.0.1", port: mailbox.port, secure: false });
    const send = (to: string, subject: string, text: string) =>
      mailer.sendMail({ from: "desk@acme.example", to, subject, text });
    let isLoud = true;
    // As a tool with notifications: it mails the requester of each new ticket.
    const connector = measurable("mailbox", ({ stream, write }) => ({
      write: async (io, batch) => {
        const outcomes = await write(io, batch);
        for (const { record } of isLoud && stream.name === "tickets" ? batch : []) {
          const { requester, subject } = record as unknown as {
            requester: { email: string };
            subject: string;
          };
          await send(requester.email, `[Acme #12] ${subject} – größer`, "Hello");
        }
        return outcomes;
      },
    }));
    try {
      const { one, destination, cause, result } = await given(connector, { mailbox: address, waitMs: 0 });
      await one.run({ type: "full_started" });
      expect(await one.status()).toBe("in_preparation");
      expect(destination.stats().written).toBe(0);
      expect(await cause()).toContain("Stand-in sends messages when tickets are copied");
      const [message] = (await result())?.messages ?? [];
      expect(message?.stream).toBe("tickets");
      expect(message?.subject).toMatch(/^\[Acme #12\] Silence check canary-\w+-tickets-1 – größer$/);
      isLoud = false;
      await one.run({ type: "full_started" });
      expect(await one.status()).toBe("migration_completed");
      expect(await result()).toMatchObject({ records: canaries, messages: [] });
      // Nothing else is taken in: it is no open relay, and no one's mailbox.
      for (const to of [address, "canary+0123456789abcdef@portage.example.com", "jo@acme.example"])
        await expect(send(to, "Hi", "Hi")).rejects.toThrow(/550/);
    } finally {
      mailer.close();
      await mailbox.close();
    }
  },
  patienceMs,
);

test(
  "a worker that dies after it wrote canaries leaves none: the next one finds them by key and removes them",
  async () => {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let isFirst = true;
    const connector = measurable("log", ({ stream, write }) => ({
      write: async (io, batch) => {
        const outcomes = await write(io, batch);
        if (stream.name === "comments" && isFirst) {
          isFirst = false;
          reached.resolve();
          // A process that hangs: its lease runs out, and another one takes over.
          await released.promise;
        }
        return outcomes;
      },
    }));
    const { one, destination, open, result } = await given(connector);
    await one.move({ type: "full_started" });
    const dead = one.work(await one.dispatch());
    await reached.promise;
    expect(canariesIn(destination).length).toBeGreaterThan(3);
    const [left] = await open();
    expect(left?.writtenForMs).toBeNull();
    // No process renews the lease any more.
    await ground.db.pool.query("update partitions set lease_token = gen_random_uuid() where import_id = $1", [
      one.importId,
    ]);
    while ((await one.status()) !== "migration_completed") {
      await one.work(await one.runs.findOverdue(10));
      await wait(100);
    }
    released.resolve();
    await dead;
    expect(await open()).toEqual([]);
    expect(canariesIn(destination)).toEqual([]);
    expect(destination.stats()).toMatchObject({ written: all, duplicates: 0 });
    expect(await result()).toMatchObject({ records: canaries, messages: [] });
    const { rows } = await ground.db.pool.query(
      "select no, written_at is not null as measured from silence_checks where import_id = $1 order by no",
      [one.importId],
    );
    expect(rows).toEqual([
      { no: 1, measured: false },
      { no: 2, measured: true },
    ]);
  },
  patienceMs,
);

test(
  "a customer who stops while the run waits for messages finds nothing in the destination",
  async () => {
    const { one, destination, open, result } = await given(measurable("log"), {
      mailbox: null,
      waitMs: 3_600_000,
    });
    await one.move({ type: "full_started" });
    let [chunk] = await one.dispatch();
    while (destination.stats().written < canaries) {
      if (!chunk) throw new Error("The run has ended.");
      [chunk] = (await one.runs.workChunk(chunk, { signal: new AbortController().signal })).send;
    }
    await one.work(await one.runs.stopRun({ importId: one.importId }));
    expect(await one.status()).toBe("in_preparation");
    expect(destination.stats().written).toBe(0);
    expect(await open()).toEqual([]);
    expect(await result()).toBeUndefined();
  },
  patienceMs,
);

test(
  "if the tool takes no canary, the run goes on and claims nothing",
  async () => {
    const connector = measurable("log", ({ stream }) =>
      stream.name === "tickets"
        ? { write: async () => [{ kind: "rejected", code: "no", message: "It needs a color." }] }
        : {},
    );
    const { one, destination, open, result } = await given(connector);
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(await result()).toBeUndefined();
    expect(await open()).toEqual([]);
    expect(canariesIn(destination)).toEqual([]);
  },
  patienceMs,
);

test(
  "a canary that the tool keeps stops the run, and the next one removes it",
  async () => {
    let keeps = true;
    const connector = measurable("log", ({ stream, remove }) => ({
      remove: async (io, what) =>
        keeps && stream.name === "tickets"
          ? what.map(() => ({ kind: "kept", code: "locked", message: "It is locked." }))
          : ((await remove?.(io, what)) ?? []),
    }));
    const { one, destination, cause, open } = await given(connector);
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("in_preparation");
    expect(await cause()).toContain("keeps a test record of ours (tickets): It is locked.");
    expect(await open()).toHaveLength(1);
    keeps = false;
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(canariesIn(destination)).toEqual([]);
    expect(destination.stats().written).toBe(all);
  },
  patienceMs,
);
