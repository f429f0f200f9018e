/**
 * The connector for Zendesk Support and its help center: source and destination of the family `helpdesk`.
 * Entry points: `createZendesk` (manifest, `check`, `recordAt` and one stream per kind of record), and `zendesk`, which is it for
 * Zendesk's own addresses.
 * Invariants: an export names its start once; a deleted ticket, and what belongs to it, is no record; credentials go to the
 * account's own address alone; a copy has its key in `external_id`, or in the last line of a comment; no ticket is written or
 * looked for while a job of Zendesk's may still create it.
 */
import { type Connector, ConnectorError, kitVersion } from "@portage/connector-kit";
import { z } from "zod";
import { recordAt } from "./addresses.ts";
import { articlesSource } from "./articles-source.ts";
import { api } from "./ask.ts";
import { attachmentsDestination, commentsDestination } from "./comments-destination.ts";
import { attachmentsSource, commentsSource } from "./comments-source.ts";
import { groupsDestination, organizationsDestination } from "./desk-destination.ts";
import { groupsSource, organizationsSource } from "./desk-source.ts";
import { contactsDestination, usersDestination } from "./people-destination.ts";
import { contactsSource, usersSource } from "./people-source.ts";
import {
  originOf,
  settingsAt,
  vendorOrigins,
  type ZendeskOrigins,
  type ZendeskSettings,
} from "./settings.ts";
import { ticketsDestination } from "./tickets-destination.ts";
import { ticketsSource } from "./tickets-source.ts";

const me = z.object({
  user: z.object({
    id: z.number().nullable(),
    name: z.string(),
    email: z.string().nullish(),
    role: z.string(),
  }),
});

const refused = (recovery: "abort" | "reauthorize", code: string, message: string, setting: string) =>
  new ConnectorError({ recovery, code, message, setting });

export const createZendesk = (at: ZendeskOrigins = vendorOrigins): Connector<ZendeskSettings> => ({
  manifest: {
    kit: kitVersion,
    name: "zendesk",
    label: "Zendesk",
    families: ["helpdesk"],
    roles: ["source", "destination"],
    leavesOut: [
      {
        stream: "contacts",
        role: "source",
        why: "Only the main address and number of a contact are moved: Zendesk shows the others for one person at a time.",
      },
    ],
    settings: settingsAt(at),
    auth: {
      kind: "choice",
      secret: {
        kind: "secret",
        secrets: ["token"],
        alongside: ["username"],
        headers: ({ username, token }) => ({
          authorization: `Basic ${Buffer.from(`${username}/token:${token}`).toString("base64")}`,
        }),
      },
      oauth2: {
        kind: "oauth2",
        authorizationUrl: (settings) => `${originOf(settings)}/oauth/authorizations/new`,
        tokenUrl: (settings) => `${originOf(settings)}/oauth/tokens`,
        scopes: { read: ["read"], write: ["write"] },
        refreshTokens: "single-use",
        pkce: true,
        // Without it Zendesk issues no refresh token.
        tokenParameters: { expires_in: "1800" },
      },
    },
    hosts: (settings) => ({ api: [originOf(settings)], files: at.files }),
    limits: [
      { requests: 10, perMs: 60_000, class: "export" },
      { requests: 100, perMs: 60_000, class: "update" },
      // 30 jobs may run at a time, and most take less than a minute.
      { requests: 30, perMs: 60_000, class: "job" },
    ],
    // The account's own limit depends on its plan: 200 to 2,500 a minute.
    quotaHeaders: [{ remaining: "x-rate-limit-remaining", perMs: 60_000 }],
    // Another request changes the same ticket at this moment.
    dialect: {
      explain: ({ status }) => (status === 409 ? { recovery: "retry", code: "busy" } : undefined),
      reasons: { busy: "is busy with the same record" },
    },
    concurrency: 4,
    grace: { lateWriteMs: 60_000, findLagMs: 0 },
  },
  async check({ http, settings }) {
    const answer = await http.send({ url: api("users/me"), accept: [404] });
    if (answer.status === 404)
      throw refused("abort", "no_help_desk", "There is no Zendesk at this address.", "instanceUrl");
    const { id, name, email, role } = answer.json(me).user;
    // Zendesk answers an unknown caller with a user without an id.
    if (id === null)
      throw refused("reauthorize", "unauthorized", "Zendesk does not accept the sign-in.", "token");
    if (role !== "admin")
      throw refused(
        "abort",
        "not_admin",
        "Zendesk lets only administrators export and import tickets.",
        "username",
      );
    const { host } = new URL(originOf(settings));
    return { signInName: email ?? name, accountName: host, accountId: host };
  },
  recordAt,
  source: {
    helpdesk: [
      usersSource(),
      organizationsSource(at.exportLagMs),
      contactsSource(at.exportLagMs),
      groupsSource(),
      ticketsSource(at.exportLagMs),
      commentsSource(at.exportLagMs),
      articlesSource(),
      attachmentsSource(at.exportLagMs),
    ],
  },
  destination: {
    helpdesk: [
      usersDestination,
      organizationsDestination,
      contactsDestination,
      groupsDestination,
      ticketsDestination,
      commentsDestination,
      attachmentsDestination,
    ],
  },
});

export const zendesk = createZendesk();
