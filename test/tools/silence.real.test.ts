import type { Connector, DestinationStream } from "@portage/connector-kit";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { redmine } from "../../connectors/redmine/index.ts";
import { requestTracker } from "../../connectors/request-tracker/index.ts";
import { startCanaryMailbox } from "../../server/src/background/canary-mailbox.ts";
import { findSilence, type SilenceNeeds } from "../../server/src/features/runs/index.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { query } from "../journeys/moves/dump-tables.ts";
import { createRunsFixture, type Ends } from "../runs/runs-fixture.ts";
import { patienceMs } from "../support/patience.ts";
import { plantScrip } from "./request-tracker/plant-scrip.ts";
import { type RequestTracker, startRequestTracker } from "./request-tracker/request-tracker.ts";
import { redmineApi } from "./redmine/redmine-api.ts";
import { type RedmineServer, startRedmine } from "./redmine/redmine-server.ts";
import { type SmtpSink, startSmtpSink } from "./smtp-sink.ts";
import { standInConnector } from "./stand-in/connector.ts";
import { startStandIn } from "./stand-in/stand-in.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
}, patienceMs);
afterAll(() => fixture?.drop());

type Change = (stream: DestinationStream) => Partial<DestinationStream>;

/** The tool's connector with a short grace, since nothing delays its writes here. */
const withCanaries = (made: unknown, change: Change = () => ({})): Ends["connector"] => {
  const connector = made as Connector;
  const canaries = connector.silence?.canaries.helpdesk ?? [];
  return {
    ...connector,
    manifest: { ...connector.manifest, grace: { lateWriteMs: 1_000, findLagMs: 0 } },
    silence: {
      ...connector.silence,
      canaries: { helpdesk: canaries.map((each) => ({ ...each, ...change(each) })) },
    },
  } as unknown as Ends["connector"];
};

const begin = async (destination: Ends, silence: SilenceNeeds) => {
  const source = await startStandIn({ counts: { tickets: 2 }, hostile: false, largeText: 0 });
  const connector = standInConnector({
    family: "helpdesk",
    paging: "keyset",
  }) as unknown as Ends["connector"];
  const one = await fixture.begin({ connector, tool: source }, destination, {
    silence,
    // A real tool needs several requests for a record.
    times: { leaseMs: 30_000, writeMs: 25_000 },
  });
  const failure = () =>
    fixture.db.sql
      .selectFrom("runs")
      .select(["failureCode", "failureMessage"])
      .where("importId", "=", one.importId)
      .orderBy("number", "desc")
      .executeTakeFirst();
  return { one, failure, result: () => findSilence(fixture.db, one.importId) };
};

/** A worker that dies once it has written tickets; a successor takes the run over. */
const dieAfterTickets = async (one: Awaited<ReturnType<typeof begin>>["one"], died: Promise<void>) => {
  await one.move({ type: "full_started" });
  const dead = one.work(await one.dispatch()).catch(() => {});
  await died;
  await fixture.db.pool.query("update partitions set lease_token = gen_random_uuid() where import_id = $1", [
    one.importId,
  ]);
  while ((await one.status()) === "migration_in_progress") {
    await one.work(await one.runs.findOverdue(10));
    await wait(200);
  }
  // Not the promise itself: it ends only when the test releases the dead worker.
  return { dead };
};

const dyingOnce = () => {
  const died = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isFirst = true;
  const change: Change = ({ stream, write }) => ({
    write: async (io, batch) => {
      const outcomes = await write(io, batch);
      if (stream.name === "tickets" && isFirst) {
        isFirst = false;
        died.resolve();
        await released.promise;
      }
      return outcomes;
    },
  });
  return { change, died: died.promise, release: () => released.resolve() };
};

describe("Redmine, by a mailbox that receives its mails", () => {
  const address = "canary@portage.example.com";
  let mailbox: Awaited<ReturnType<typeof startCanaryMailbox>>;
  let server: RedmineServer;
  // Redmine sends mails in the background.
  const silence = { mailbox: address, waitMs: 15_000 };
  const end = (settings: object, change?: Change): Ends => ({
    connector: withCanaries(redmine, change),
    tool: { url: server.url, token: server.adminKey },
    settings: { textFormat: "textile", project: "inbox", memberRole: "", ...settings },
  });
  /** The number of rows in every table of Redmine's own database. */
  const rows = async () => {
    const tables = await query<{ name: string }>(
      server.database,
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await query<{ n: number }>(server.database, `select count(*)::int as n from "${name}"`);
      counts[name] = row?.n ?? 0;
    }
    return counts;
  };
  beforeAll(async () => {
    const log = createLog("silent");
    mailbox = await startCanaryMailbox({ db: fixture.db, log, address, host: "127.0.0.1", port: 0 });
    server = await startRedmine({ smtpPort: mailbox.port });
    await server.ruby("Setting.notified_events = Redmine::Notifiable.all.map(&:name)");
    await redmineApi(server).post("projects.json", {
      project: { name: "Inbox", identifier: "inbox", enabled_module_names: ["issue_tracking"] },
    });
    // Made by Redmine when the account first writes an issue.
    await server.ruby("User.find_by(login: 'admin').pref.save!");
  }, patienceMs);
  afterAll(async () => {
    await server?.stop();
    await mailbox?.close();
  });

  test(
    "its mails are caught if the settings wrongly say that they are off: nothing is copied, and its tables are as before",
    async () => {
      const before = await rows();
      const { one, failure, result } = await begin(end({ notifications: "off" }), silence);
      await one.run({ type: "full_started" });
      expect(await one.status()).toBe("in_preparation");
      const { failureCode, failureMessage } = (await failure()) ?? {};
      expect(failureCode).toBe("message_sent");
      expect(failureMessage).toMatch(/Redmine sends messages when \w+ are copied: “.*Silence check.*”/);
      expect(failureMessage).toContain("Administration, Settings, Email notifications");
      expect((await result())?.messages.map(({ stream }) => stream)).toContain("tickets");
      expect(await rows()).toEqual(before);
      // As the message says.
      await server.ruby("Setting.notified_events = []");
      await one.run({ type: "full_started" });
      expect(await one.status()).toBe("migration_completed");
      expect(await result()).toMatchObject({ records: 6, messages: [] });
      await server.ruby("Setting.notified_events = Redmine::Notifiable.all.map(&:name)");
    },
    patienceMs,
  );

  test(
    "with the right settings it measures zero messages, also after a worker died; then the run copies",
    async () => {
      const before = await rows();
      const { change, died, release } = dyingOnce();
      const { one, result } = await begin(end({ notifications: "on" }, change), silence);
      const { dead } = await dieAfterTickets(one, died);
      release();
      await dead;
      expect(await one.status()).toBe("migration_completed");
      expect(await result()).toMatchObject({ records: 6, messages: [] });
      const after = await rows();
      expect(after["issues"]).toBe((before["issues"] ?? 0) + 2);
      const left = await query(
        server.database,
        "select subject from issues where subject like 'Silence check%'",
      );
      const users = await query(server.database, "select login from users where login ~ '[.]c[0-9a-f]{12}$'");
      const projects = await query(
        server.database,
        "select name from projects where name like 'Silence check%'",
      );
      expect([...left, ...users, ...projects]).toEqual([]);
    },
    patienceMs,
  );
});

describe("Request Tracker, by its own log", () => {
  let sink: SmtpSink;
  let tracker: RequestTracker;
  const silence = { mailbox: null, waitMs: 0 };
  const end = (change?: Change): Ends => ({
    connector: withCanaries(requestTracker, change),
    tool: tracker,
    settings: { externalIdField: "External ID" },
  });
  /** What people can see: RT deletes neither tickets nor users, but marks them. */
  const rows = async () => {
    const [row] = await query<Record<string, number>>(
      tracker.database,
      `select (select count(*)::int from tickets where status <> 'deleted') as tickets,
         (select count(*)::int from users u join principals p on p.id = u.id where p.disabled = 0) as users,
         (select count(*)::int from users where emailaddress like 'canary+%') as addresses,
         (select count(*)::int from queues) as queues`,
    );
    return row;
  };
  beforeAll(async () => {
    sink = await startSmtpSink();
    tracker = await startRequestTracker({ smtpPort: sink.port });
  }, patienceMs);
  afterAll(async () => {
    await tracker?.stop();
    await sink?.close();
  });

  test(
    "a scrip that mails an outside address is caught, and nothing is copied; without it the run measures zero and starts",
    async () => {
      const before = await rows();
      const removeScrip = await plantScrip(tracker, "manager@example.com");
      const { one, failure, result } = await begin(end(), silence);
      await one.run({ type: "full_started" });
      expect(await one.status()).toBe("in_preparation");
      const { failureCode, failureMessage } = (await failure()) ?? {};
      expect(failureCode).toBe("message_sent");
      expect(failureMessage).toMatch(
        /Request Tracker sends messages when tickets are copied: “.*Silence check.*”/,
      );
      expect(failureMessage).toContain("Scrips");
      expect(sink.mails().map(({ recipients }) => recipients)).toContainEqual(["manager@example.com"]);
      expect(await rows()).toEqual(before);
      await removeScrip();
      sink.empty();
      await one.run({ type: "full_started" });
      expect(await one.status()).toBe("migration_completed");
      expect(await result()).toMatchObject({ records: 5, messages: [] });
      expect(sink.mails()).toEqual([]);
      expect(await rows()).toEqual({ ...before, tickets: (before?.["tickets"] ?? 0) + 2 });
    },
    patienceMs,
  );

  test(
    "a worker that dies leaves no canary",
    async () => {
      const before = await rows();
      const { change, died, release } = dyingOnce();
      const { one, result } = await begin(end(change), silence);
      const { dead } = await dieAfterTickets(one, died);
      release();
      await dead;
      expect(await one.status()).toBe("migration_completed");
      expect(await result()).toMatchObject({ records: 5, messages: [] });
      expect(await rows()).toEqual({ ...before, tickets: (before?.["tickets"] ?? 0) + 2 });
    },
    patienceMs,
  );
});
