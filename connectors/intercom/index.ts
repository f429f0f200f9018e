/**
 * The connector for Intercom: source of the family `helpdesk`. Conversations and tickets are both tickets.
 * Entry points: `intercom`, and `createIntercom` for tests, which hand in a stand-in's addresses.
 * Invariants: the token goes to the API of the workspace's region alone, never to a host of files; a scroll ends in the step that
 * began it; texts in records carry no signed links, which differ in each answer.
 */
import { type Connector, kitVersion } from "@portage/connector-kit";
import { z } from "zod";
import { api, scrollIdleMs } from "./ask.ts";
import { recordAt } from "./records.ts";
import { meRow } from "./rows.ts";
import { type Origins, placeOf, type Settings, settingsAt, vendorOrigins } from "./settings.ts";
import { sourceOf } from "./source.ts";

/** Of the workspace's region. */
const apiAt = ({ regions }: Origins, settings: Settings) =>
  regions[placeOf(settings)?.origin ?? ""] ?? "https://api.intercom.io/";

const refusal = z.object({ errors: z.array(z.object({ code: z.string() })) });

export const createIntercom = (at: Origins = vendorOrigins): Connector<Settings> => ({
  manifest: {
    kit: kitVersion,
    name: "intercom",
    label: "Intercom",
    families: ["helpdesk"],
    roles: ["source"],
    settings: settingsAt(at),
    auth: {
      kind: "choice",
      secret: {
        kind: "secret",
        secrets: ["token"],
        headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
      },
      oauth2: {
        kind: "oauth2",
        authorizationUrl: (settings) => `${placeOf(settings)?.origin ?? "https://app.intercom.com"}/oauth`,
        tokenUrl: (settings) => `${apiAt(at, settings)}auth/eagle/token`,
        // What it may read was chosen when the app was registered.
        scopes: { read: [], write: [] },
        refreshTokens: "none",
        pkce: false,
      },
    },
    hosts: (settings) => ({ api: [apiAt(at, settings)], files: at.files }),
    // They depend on the plan: the headers tell. A minute's quota is spent in slices of ten seconds.
    limits: [],
    quotaHeaders: [
      {
        remaining: "x-ratelimit-remaining",
        reset: "x-ratelimit-reset",
        resetIs: "unix-seconds",
        perMs: 10_000,
      },
    ],
    dialect: {
      explain(answer) {
        if (answer.status !== 400) return undefined;
        const { data } = refusal.safeParse(answer.json());
        // Of a step that broke off, or of another program.
        return data?.errors.some(({ code }) => code === "scroll_exists")
          ? { recovery: "retry", code: "busy", retryAfterMs: scrollIdleMs }
          : undefined;
      },
      reasons: { busy: "is still listing companies for another program" },
    },
    concurrency: 4,
    grace: { lateWriteMs: 0, findLagMs: 0 },
  },
  async check(io) {
    const { id, name, email, app } = (await io.http.send(api("me"))).json(meRow);
    const { origin, workspace } = placeOf(io.settings) ?? { origin: "", workspace: "" };
    return {
      signInName: email || name || id,
      accountName: app?.name || workspace,
      accountId: `${URL.parse(origin)?.host}/${app?.id_code ?? workspace}`,
    };
  },
  recordAt,
  source: sourceOf(at),
});

export const intercom = createIntercom();
