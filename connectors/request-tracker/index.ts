/**
 * The connector for Request Tracker 5 and later (REST2): source and destination of the family `helpdesk`.
 * Entry points: `requestTracker` (manifest, `check`, `recordAt` and one stream per kind of record); every kind has a
 * `*-source.ts` and a `*-destination.ts`.
 * Invariants: no write sends a mail; every copy holds its external key, in a custom field or a text, so that `find`
 * recognises it; what RT can't hold is reported as a `FieldChange` or in `drops`.
 */
import { type Connector, ConnectorError, instanceId, kitVersion } from "@portage/connector-kit";
import { z } from "zod";
import { recordAt } from "./addresses.ts";
import { articlesDestination } from "./articles-destination.ts";
import { articlesSource } from "./articles-source.ts";
import { rest } from "./ask.ts";
import { attachmentsDestination } from "./attachments-destination.ts";
import { attachmentsSource } from "./attachments-source.ts";
import { commentsDestination } from "./comments-destination.ts";
import { commentsSource } from "./comments-source.ts";
import { contactsDestination, usersDestination } from "./people-destination.ts";
import { contactsSource, usersSource } from "./people-source.ts";
import { groupsDestination } from "./queues-destination.ts";
import { groupsSource } from "./queues-source.ts";
import { silence } from "./sent-messages.ts";
import { type RtSettings, settings } from "./settings.ts";
import { ticketsDestination } from "./tickets-destination.ts";
import { ticketsSource } from "./tickets-source.ts";
import { askUser } from "./users.ts";

export const requestTracker: Connector<RtSettings> = {
  manifest: {
    kit: kitVersion,
    name: "request-tracker",
    label: "Request Tracker",
    families: ["helpdesk"],
    leavesOut: (["source", "destination"] as const).map((role) => ({
      stream: "organizations",
      role,
      why: "Request Tracker has no organizations.",
    })),
    roles: ["source", "destination"],
    settings,
    auth: {
      kind: "secret",
      secrets: ["token"],
      headers: ({ token }) => ({ authorization: `token ${token}` }),
    },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
    limits: [],
    concurrency: 4,
    grace: { lateWriteMs: 60_000, findLagMs: 0 },
  },
  async check(io) {
    const { instanceUrl, token } = io.settings;
    const answer = await io.http.send({ url: rest("rt"), accept: [404] });
    const about = answer.status === 200 ? answer.json(z.object({ Version: z.string().optional() })) : null;
    if (!about?.Version)
      throw new ConnectorError({
        recovery: "abort",
        code: "not_request_tracker",
        message: "This address has no Request Tracker with REST2 (version 5 or later).",
        setting: "instanceUrl",
      });
    const instance = instanceId(instanceUrl);
    // A token begins with its kind and its owner's id; RT offers no other way to find its owner.
    const [, owner] = /^\d+-(\d+)-/.exec(token) ?? [];
    const user = owner ? await askUser(io, owner).catch(() => null) : null;
    return { signInName: user?.Name ?? instance, accountName: instance, accountId: instance };
  },
  recordAt,
  silence,
  source: {
    helpdesk: [
      usersSource,
      contactsSource,
      groupsSource,
      ticketsSource,
      commentsSource,
      articlesSource,
      attachmentsSource,
    ],
  },
  destination: {
    helpdesk: [
      usersDestination,
      contactsDestination,
      groupsDestination,
      ticketsDestination,
      commentsDestination,
      articlesDestination,
      attachmentsDestination,
    ],
  },
};
