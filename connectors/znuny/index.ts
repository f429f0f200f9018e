/**
 * The connector for Znuny 6 and later and OTRS 6 (Generic Interface, REST): source of the family `helpdesk`.
 * Entry points: `znuny` (manifest, `check`, `recordAt` and one stream per kind of record). Everything is read by the two
 * operations TicketSearch and TicketGet: `walk.ts` pages through tickets, `derived.ts` finds people and queues in them.
 * Invariants: nothing is written; ids of articles and files begin with their ticket's, without which Znuny finds
 * neither; what Znuny hides from customers is internal.
 */
import {
  type Connector,
  ConnectorError,
  type FamilyRecord,
  instanceId,
  kitVersion,
  type SourceStream,
} from "@portage/connector-kit";
import { createSession, getTickets, searchTickets } from "./ask.ts";
import { attachmentsSource } from "./attachments.ts";
import { commentsSource } from "./comments.ts";
import { contactsSource, groupsSource, usersSource } from "./derived.ts";
import { fromLocal } from "./moments.ts";
import { recordAt } from "./record-at.ts";
import { settings, type ZnunyIo, type ZnunySettings } from "./settings.ts";
import { ticketsSource } from "./tickets.ts";

// The streams of one connector hold records of different types; the engine passes each its own type.
const asSource = (stream: unknown) => stream as SourceStream<FamilyRecord, ZnunySettings>;

const minute = 60_000;

/** Znuny's times don't say their zone, but it says how many seconds old a ticket is: the two must agree. */
const checkTimeZone = async (io: ZnunyIo): Promise<void> => {
  const [oldest] = await getTickets(io, await searchTickets(io, {}, 1));
  const created = oldest ? fromLocal(oldest.Created, io.settings.timeZone) : null;
  if (!oldest?.Age || created === null) return;
  const offMinutes = Math.round((Date.now() - oldest.Age * 1000 - Date.parse(created)) / minute);
  // Clocks differ by a little, zones by a quarter of an hour or more.
  if (Math.abs(offMinutes) < 10) return;
  throw new ConnectorError({
    recovery: "abort",
    code: "wrong_time_zone",
    message: `Znuny's times are ${Math.abs(offMinutes)} minutes ${offMinutes < 0 ? "ahead of" : "behind"} the time zone ${io.settings.timeZone}. Enter the zone of its setting OTRSTimeZone.`,
    setting: "timeZone",
  });
};

export const znuny: Connector<ZnunySettings> = {
  manifest: {
    kit: kitVersion,
    name: "znuny",
    label: "Znuny / OTRS",
    families: ["helpdesk"],
    leavesOut: ["organizations", "articles"].map((stream) => ({
      stream,
      role: "source",
      why: "The web service that comes with Znuny shows tickets and what belongs to them, nothing else.",
    })),
    roles: ["source"],
    settings,
    // The password goes into the sign-in call, and the session that it returns into each other call.
    auth: { kind: "secret", secrets: ["password"], headers: () => ({}) },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
    limits: [],
    concurrency: 4,
    grace: { lateWriteMs: 0, findLagMs: 0 },
  },
  async check(io) {
    await createSession(io);
    await checkTimeZone(io);
    const instance = instanceId(io.settings.instanceUrl);
    return { signInName: io.settings.username, accountName: instance, accountId: instance };
  },
  recordAt,
  source: {
    helpdesk: [
      usersSource,
      contactsSource,
      groupsSource,
      ticketsSource,
      commentsSource,
      attachmentsSource,
    ].map(asSource),
  },
};
