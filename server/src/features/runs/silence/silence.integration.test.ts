import { type Connector, ConnectorError, type DestinationStream } from "@portage/connector-kit";
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
import { canaryAddress, canaryKey, tokenFor } from "./canary-address.ts";
import { findSilence, listOpenChecks } from "./store-silence.ts";
import type { SilenceNeeds } from "./measured-by.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

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
  const one = await fixture.begin(
    { connector: measurable(undefined) as never, tool: source },
    { connector: connector as never, tool: destination },
    { silence },
  );
  const cause = async () =>
    (
      await fixture.db.sql
        .selectFrom("runs")
        .select("failureMessage")
        .where("importId", "=", one.importId)
        .orderBy("number", "desc")
        .executeTakeFirst()
    )?.failureMessage;
  const open = () => listOpenChecks(fixture.db, one.importId);
  const result = () => findSilence(fixture.db, one.importId);
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
      /^Stand-in sends messages when \w+ are copied: “.*”\. Switch off “Always notify” .* This move has copied nothing yet: /,
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
    const mailbox = await startCanaryMailbox({ db: fixture.db, log, address, host: "127.0.0.1", port: 0 });
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
    await fixture.db.pool.query(
      "update partitions set lease_token = gen_random_uuid() where import_id = $1",
      [one.importId],
    );
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
    const { rows } = await fixture.db.pool.query(
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

const address = "canary@portage.example.com";

test(
  "messages that the log has shown count, also if the canaries are gone before the outcome is stored",
  async () => {
    let isLost = true;
    const connector = measurable("log", ({ stream, remove }) => ({
      remove: async (io, what) => {
        const removed = (await remove?.(io, what)) ?? [];
        // The last to go: nothing is left that the log could be asked for.
        if (stream.name !== "contacts" || !isLost) return removed;
        isLost = false;
        return what.map(() => ({ kind: "unknown", why: "The connection broke." }));
      },
    }));
    const { one, destination, result, open } = await given(connector);
    destination.notify(true);
    await one.run({ type: "full_started" });
    expect(isLost).toBe(false);
    expect(await one.status()).toBe("in_preparation");
    expect(destination.stats().written).toBe(0);
    expect((await result())?.messages.length).toBeGreaterThan(0);
    expect(await open()).toEqual([]);
  },
  patienceMs,
);

test.each([
  { times: 1, measured: true },
  { times: Infinity, measured: false },
])(
  "a log without the canaries shows nothing: after $times such measurements, the outcome is known: $measured",
  async ({ times, measured }) => {
    let vanished = 0;
    const connector = measurable("log", ({ stream, find }) => ({
      find: async (io, queries) => {
        const found = await find(io, queries);
        // A person of the tool has deleted it.
        if (stream.name !== "contacts" || vanished >= times || found.size === 0) return found;
        vanished += 1;
        for (const ids of found.values()) for (const id of ids) destination.written(stream.name).remove(id);
        return new Map();
      },
    }));
    const { one, destination, result, open } = await given(connector);
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(await result()).toEqual(measured ? expect.objectContaining({ messages: [] }) : undefined);
    expect(await open()).toEqual([]);
    expect(canariesIn(destination)).toEqual([]);
  },
  patienceMs,
);

test(
  "a tool that never answers clearly holds up no run, keeps no canary, and nothing is claimed",
  async () => {
    const connector = measurable("log", ({ stream, write }) => ({
      write: async (io, batch) => {
        const outcomes = await write(io, batch);
        return stream.name === "tickets"
          ? batch.map(() => ({ kind: "unknown", why: "The connection broke." }))
          : outcomes;
      },
    }));
    const { one, destination, result, open } = await given(connector);
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(await result()).toBeUndefined();
    expect(await open()).toEqual([]);
    expect(canariesIn(destination)).toEqual([]);
    expect(destination.stats()).toMatchObject({ written: all, duplicates: 0 });
  },
  patienceMs,
);

test(
  "a worker without the mailbox that the run was planned with claims nothing",
  async () => {
    // Read once by each chunk, the first of which plans the run.
    const mailboxes = [address];
    const { one, destination, result } = await given(measurable("mailbox"), {
      get mailbox() {
        return mailboxes.shift() ?? null;
      },
      waitMs: 0,
    });
    await one.run({ type: "full_started" });
    expect((await one.partitions()).map(({ task }) => task)).toContain("silence");
    expect(await one.status()).toBe("migration_completed");
    expect(await result()).toBeUndefined();
    expect(destination.stats().writes["groups"]).toBeUndefined();
  },
  patienceMs,
);

test(
  "mails that came while no worker could receive them are not silence: the run measures again",
  async () => {
    const { one, result } = await given(measurable("mailbox"), { mailbox: address, waitMs: 3_600_000 });
    const attempts = async () =>
      (
        await fixture.db.pool.query<{ measured: boolean }>(
          "select written_at is not null as measured from silence_checks where import_id = $1 order by no",
          [one.importId],
        )
      ).rows.map(({ measured }) => measured);
    const signal = new AbortController().signal;
    await one.move({ type: "full_started" });
    let [chunk] = await one.dispatch();
    const goOn = async () => {
      if (!chunk) throw new Error("The run has ended.");
      [chunk] = (await one.runs.workChunk(chunk, { signal })).send;
    };
    const isOver = (started: string) =>
      fixture.db.pool.query(
        `update silence_checks set written_at = written_at - interval '1 hour',
           started_at = started_at - interval '${started}' where import_id = $1 and removed_at is null`,
        [one.importId],
      );
    while (!(await attempts()).includes(true)) await goOn();
    // As if this process had begun after the canaries were written.
    await isOver("1 hour");
    await goOn();
    expect(await attempts()).toEqual([false, true]);
    expect(await result()).toBeUndefined();
    await isOver("0 hours");
    await one.work(chunk ? [chunk] : []);
    expect(await one.status()).toBe("migration_completed");
    expect(await attempts()).toEqual([false, true]);
    expect(await result()).toMatchObject({ records: canaries, messages: [] });
  },
  patienceMs,
);

test(
  "mails that came while another worker's mailbox was closed are not silence either",
  async () => {
    const { one, result } = await given(measurable("mailbox"), { mailbox: address, waitMs: 3_600_000 });
    const attempts = async () =>
      (
        await fixture.db.pool.query<{ measured: boolean }>(
          "select written_at is not null as measured from silence_checks where import_id = $1 order by no",
          [one.importId],
        )
      ).rows.map(({ measured }) => measured);
    const signal = new AbortController().signal;
    await one.move({ type: "full_started" });
    let [chunk] = await one.dispatch();
    const goOn = async () => {
      if (!chunk) throw new Error("The run has ended.");
      [chunk] = (await one.runs.workChunk(chunk, { signal })).send;
    };
    const waited = () =>
      fixture.db.pool.query(
        "update silence_checks set written_at = written_at - interval '1 hour' where import_id = $1 and removed_at is null",
        [one.importId],
      );
    const begun = async (count: number) => {
      for (let now = await attempts(); now.length < count || now.at(-1) !== true; now = await attempts())
        await goOn();
    };
    const log = createLog("silent");
    await begun(1);
    // On another host, where the mails arrive: it comes back while this worker waits.
    const other = await startCanaryMailbox({ db: fixture.db, log, address, host: "127.0.0.1", port: 0 });
    await waited();
    await goOn();
    await begun(2);
    expect(await attempts()).toEqual([false, true]);
    // And goes.
    await other.close();
    await waited();
    await goOn();
    await begun(3);
    expect(await attempts()).toEqual([false, false, true]);
    expect(await result()).toBeUndefined();
    await waited();
    await one.work(chunk ? [chunk] : []);
    expect(await one.status()).toBe("migration_completed");
    expect(await result()).toMatchObject({ records: canaries, messages: [] });
  },
  patienceMs,
);

test(
  "a tool that does not take the canary's address can't be measured by mails to it",
  async () => {
    const connector = measurable("mailbox", ({ stream, write }) => ({
      write: async (io, batch) => {
        const outcomes = await write(io, batch);
        const changes = [{ field: "emails", change: "cleared" as const, why: "Only addresses of ours." }];
        return stream.name === "contacts"
          ? outcomes.map((each) => (each.kind === "written" ? { ...each, changes } : each))
          : outcomes;
      },
    }));
    const { one, destination, result, open } = await given(connector, { mailbox: address, waitMs: 0 });
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(await result()).toBeUndefined();
    expect(await open()).toEqual([]);
    expect(canariesIn(destination)).toEqual([]);
  },
  patienceMs,
);

test(
  "a run that could not measure does not claim what the run before it has measured",
  async () => {
    let mailbox: string | null = address;
    let mayCopy = false;
    const connector = measurable("mailbox");
    const { one, result } = await given(
      {
        ...connector,
        destination: {
          helpdesk: (connector.destination?.helpdesk ?? []).map((each) => ({
            ...each,
            write: async (io, batch) => {
              if (mayCopy) return each.write(io, batch);
              throw new ConnectorError({ recovery: "abort", code: "full", message: "No space is left." });
            },
          })),
        },
      },
      {
        get mailbox() {
          return mailbox;
        },
        waitMs: 0,
      },
    );
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("in_preparation");
    expect(await result()).toMatchObject({ records: canaries, messages: [] });
    mailbox = null;
    mayCopy = true;
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(await result()).toBeUndefined();
  },
  patienceMs,
);

test(
  "a canary that the tool keeps does not keep an undo from removing the customer's records",
  async () => {
    let keeps = true;
    const connector = measurable("log", ({ stream, remove }) => ({
      remove: async (io, what) =>
        keeps && stream.name === "tickets"
          ? what.map(() => ({ kind: "kept", code: "locked", message: "It is locked." }))
          : ((await remove?.(io, what)) ?? []),
    }));
    const { one, destination, open } = await given(connector);
    keeps = false;
    await one.run({ type: "full_started" });
    expect(destination.stats().written).toBe(all);
    // Of an attempt whose end was lost with a restore of the database.
    keeps = true;
    await fixture.db.pool.query("update silence_checks set removed_at = null where import_id = $1", [
      one.importId,
    ]);
    const token = (await open())[0]?.token ?? "";
    destination.written("tickets").write({
      key: canaryKey(one.importId, token, "tickets-1"),
      id: null,
      record: { id: "", tags: [], subject: `canary-${token}-tickets-1` } as never,
    });
    await one.move({ type: "undo_started" });
    let chunks = await one.dispatch();
    const ours = () => destination.stats().written - canariesIn(destination).length;
    const signal = new AbortController().signal;
    for (let round = 0; round < 50 && ours() > 0; round += 1)
      chunks = (await Promise.all(chunks.map((chunk) => one.runs.workChunk(chunk, { signal })))).flatMap(
        ({ send }) => send,
      );
    expect(ours()).toBe(0);
    expect(canariesIn(destination)).toHaveLength(1);
    keeps = false;
    await one.work(chunks);
    expect(await one.status()).toBe("migration_cleaned");
    expect(canariesIn(destination)).toEqual([]);
  },
  patienceMs,
);

test(
  "a tool that never says whether a canary is removed ends the run instead of holding it up",
  async () => {
    const connector = measurable("log", ({ stream, remove }) => ({
      remove: async (io, what) =>
        stream.name === "tickets"
          ? what.map(() => ({ kind: "unknown", why: "The connection broke." }))
          : ((await remove?.(io, what)) ?? []),
    }));
    const { one, destination, cause } = await given(connector);
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("in_preparation");
    expect(await cause()).toContain("keeps a test record of ours (tickets): It gives no clear answer.");
    expect(destination.stats().written).toBeLessThan(canaries);
  },
  patienceMs,
);

test(
  "canaries of attempts that the database has lost are found by the tokens that they must have had",
  async () => {
    const { one, destination, result } = await given(measurable("log"));
    await one.move({ type: "full_started" });
    const chunks = await one.dispatch();
    const { rows } = await fixture.db.pool.query<{ id: string }>(
      "update runs set looks_from = 1 where import_id = $1 returning id",
      [one.importId],
    );
    const token = tokenFor(rows[0]?.id ?? "", 3);
    destination.written("tickets").write({
      key: canaryKey(one.importId, token, "tickets-1"),
      id: null,
      record: { id: "", tags: [], subject: `canary-${token}-tickets-1` } as never,
    });
    await one.work(chunks);
    expect(await one.status()).toBe("migration_completed");
    expect(canariesIn(destination)).toEqual([]);
    expect(await result()).toMatchObject({ records: canaries, messages: [] });
  },
  patienceMs,
);

test(
  "a mail that can't be read counts",
  async () => {
    const { one, open } = await given(measurable("mailbox"));
    const token = tokenFor("run", 1);
    await fixture.db.pool.query(
      "insert into silence_checks (token, import_id, run_id, no, deadline) values ($1, $2, 'run', 1, now())",
      [token, one.importId],
    );
    const log = createLog("silent");
    const mailbox = await startCanaryMailbox({ db: fixture.db, log, address, host: "127.0.0.1", port: 0 });
    const mailer = nodemailer.createTransport({ host: "127.0.0.1", port: mailbox.port, secure: false });
    const parts = Array.from(
      { length: 1_000 },
      (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
    );
    try {
      await mailer.sendMail({
        envelope: { from: "desk@acme.example", to: canaryAddress(address, token) },
        raw: `Subject: Deep\r\n${parts.join("")}`,
      });
      expect(await open()).toMatchObject([{ hasMessages: true }]);
    } finally {
      mailer.close();
      await mailbox.close();
    }
  },
  patienceMs,
);
