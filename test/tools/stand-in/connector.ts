import {
  type Connector,
  type Destination,
  type FamilyStream,
  familyStreams,
  kitVersion,
  type Silence,
} from "@portage/connector-kit";
import { z } from "zod";
import { firstVersion } from "../../../connector-kit/src/families/first-version.ts";
import { recordAt } from "./addresses-and-parts.ts";
import { destinationStream } from "./connector-destination.ts";
import type { StandInConnectorOptions, StandInSettings } from "./connector-options.ts";
import { sourceStream } from "./connector-source.ts";

export type { StandInConnectorOptions, StandInSettings } from "./connector-options.ts";

const oauth = {
  kind: "oauth2",
  authorizationUrl: ({ instanceUrl }: StandInSettings) => `${instanceUrl}/oauth/authorize`,
  tokenUrl: ({ instanceUrl }: StandInSettings) => `${instanceUrl}/oauth/token`,
  scopes: { read: ["read"], write: ["write"] },
  refreshTokens: "single-use",
  pkce: true,
} as const;

const secret = {
  kind: "secret",
  secrets: ["token"],
  headers: ({ token }: StandInSettings) => ({ authorization: `Bearer ${token}` }),
} as const;

const canaryStreams = new Set(["users", "projects", "contacts", "groups", "tickets", "tasks", "comments"]);

const silenceOf = (
  destination: Destination<StandInSettings>,
  by: "log" | "mailbox",
): Silence<StandInSettings> => ({
  canaries: Object.fromEntries(
    Object.entries(destination).map(([family, streams]) => [
      family,
      streams.filter(({ stream, people }) => !people && canaryStreams.has(stream.name)),
    ]),
  ),
  mend: "Switch off “Always notify” in the stand-in.",
  ...(by === "log"
    ? {
        sent: async ({ http }, copies) =>
          (
            await Promise.all(
              copies.map(async ({ stream, id }) =>
                (
                  await http.send({ url: `messages/${stream}`, query: { id: [id] } })
                )
                  .json<{ id: string; subject: string }[]>()
                  .map(({ subject }) => ({ stream, id, subject })),
              ),
            )
          ).flat(),
      }
    : {}),
});

/** The stand-in's connector, for some families and one style of paging. */
export const standInConnector = (options: StandInConnectorOptions): Connector<StandInSettings> => {
  const families = [options.family, ...(options.otherFamilies ?? [])] as const;
  const inEach = <T>(make: (stream: FamilyStream, given: StandInConnectorOptions) => T) =>
    Object.fromEntries(
      families.map((family) => [
        family,
        familyStreams[family]
          .filter(({ name }) => options.addedStreams || name in firstVersion[family])
          .map((each) => make(each, options)),
      ]),
    );
  const destination = inEach(destinationStream);
  return {
    manifest: {
      kit: kitVersion,
      name: options.name ?? "stand-in",
      label: options.label ?? "Stand-in",
      families,
      roles: ["source", "destination"],
      settings: z.object({
        instanceUrl: z.url().meta({ title: "Address", description: "Where it runs." }),
        token: z.string().meta({ title: "Token", description: "As it was printed." }),
      }),
      auth: options.auth === "oauth2" ? oauth : secret,
      hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
      limits: [],
      quotaHeaders: [{ remaining: "x-remaining", reset: "x-reset", resetIs: "seconds-left" }],
      concurrency: options.concurrency ?? 16,
      grace: { lateWriteMs: options.lateWriteMs ?? 500, findLagMs: options.findLagMs ?? 0 },
    },
    async check({ http }) {
      const me = (await http.send({ url: "me" })).json(
        z.object({ login: z.string(), company: z.string(), account: z.string() }),
      );
      return { signInName: me.login, accountName: me.company, accountId: me.account };
    },
    recordAt,
    source: inEach(sourceStream),
    destination,
    ...(options.silence ? { silence: silenceOf(destination, options.silence) } : {}),
  };
};
