import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { z } from "zod";
import { ConnectorError } from "../errors.ts";
import type { Io } from "../io.ts";
import { reachOf } from "../http/origins.ts";
import type { Transport } from "../http/transport.ts";
import { kitVersion } from "../manifest.ts";
import type { Check } from "./check.ts";
import { assert } from "./assert.ts";
import { secretsOf } from "./secrets-of.ts";
import type { Session } from "./session.ts";

const always = (status: number, headers: Record<string, string> = {}): Transport => ({
  send: async ({ url }) => ({
    status,
    headers: { "content-type": "application/json", ...headers },
    url,
    body: (async function* () {
      yield Buffer.from("{}");
    })(),
  }),
});

/** The first calls of a connector; each must fail in the right way when the tool refuses. */
const firstCalls = (session: Session): readonly (readonly [string, (io: Io) => Promise<unknown>])[] => {
  const source = session.sources[0];
  const destination = session.destinations.find(({ people }) => !people);
  return [
    ["check", (io) => session.subject.connector.check(io)],
    ...(source && !source.perParent
      ? [
          [
            "readPage",
            (io: Io) => source.readPage(io, { cursor: null, since: null, parentId: null }),
          ] as const,
        ]
      : []),
    ...(destination
      ? [["find", (io: Io) => destination.find(io, [{ key: "c-none", since: new Date(0) }])] as const]
      : []),
  ];
};

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

const noSignIn = "the connector has no sign-in";

export const protocolChecks: readonly Check[] = [
  {
    name: "manifest",
    shows: "the manifest is complete",
    role: "both",
    async run({ subject }) {
      const { manifest, source, destination } = subject.connector;
      assert(manifest.kit === kitVersion, `The connector needs version ${manifest.kit} of the kit.`);
      assert(/^[a-z][a-z0-9-]{1,40}$/.test(manifest.name), `${manifest.name} is not a valid name.`);
      const { properties = {} } = z.toJSONSchema(manifest.settings, { io: "input" }) as {
        properties?: Record<string, { title?: string; description?: string }>;
      };
      for (const [name, { title, description }] of Object.entries(properties))
        assert(title && description, `The setting ${name} has no title or description.`);
      for (const name of secretsOf(manifest))
        assert(name in properties, `The secret ${name} is not a setting.`);
      assert(manifest.roles.includes("source") === (source !== undefined), "The role source does not match.");
      assert(
        manifest.roles.includes("destination") === (destination !== undefined),
        "The role destination does not match the connector.",
      );
      return undefined;
    },
  },
  {
    name: "check",
    shows: "check returns the account of the credentials",
    role: "both",
    async run(session) {
      const { keyColumns: _, ...texts } = await session.subject.connector.check(session.io());
      for (const [name, value] of Object.entries(texts))
        assert(typeof value === "string" && value !== "", `${name} is empty.`);
      return undefined;
    },
  },
  {
    name: "unauthorized",
    shows: "a refused sign-in asks the customer to sign in again",
    role: "both",
    async run(session) {
      if (session.subject.connector.manifest.auth.kind === "none") return { skipped: noSignIn };
      for (const [name, call] of firstCalls(session)) {
        const error = await failureOf(call(session.io(always(401))));
        assert(
          error instanceof ConnectorError && error.recovery === "reauthorize",
          `${name} on 401: ${String(error)}`,
        );
      }
      return undefined;
    },
  },
  {
    name: "rate-limited",
    shows: "a 429 asks the engine to retry after the time that the tool names",
    role: "both",
    async run(session) {
      if (session.subject.connector.manifest.auth.kind === "none") return { skipped: noSignIn };
      for (const [name, call] of firstCalls(session)) {
        const error = await failureOf(
          call(session.io(always(429, { "retry-after": "77" }), { attempts: 1 })),
        );
        assert(
          error instanceof ConnectorError && error.recovery === "retry" && error.retryAfterMs === 77_000,
          `${name} on 429: ${String(error)}`,
        );
      }
      return undefined;
    },
  },
  {
    name: "secrets",
    shows: "no error contains a secret",
    role: "both",
    async run(session) {
      const { subject } = session;
      const secrets = secretsOf(subject.connector.manifest);
      if (secrets.length === 0) return { skipped: "it has no secret settings" };
      const settings = subject.settings as Record<string, unknown>;
      for (const status of [400, 403, 404, 500])
        for (const [name, call] of firstCalls(session)) {
          const shown = inspect(await failureOf(call(session.io(always(status), { attempts: 1 }))), {
            depth: 8,
          });
          for (const secret of secrets)
            assert(!shown.includes(String(settings[secret])), `${name} on ${status} shows ${secret}.`);
        }
      return undefined;
    },
  },
  {
    name: "hosts",
    shows: "the connector calls only the hosts that its manifest declares",
    role: "both",
    async run(session) {
      const { connector, settings } = session.subject;
      const hosts = connector.manifest.hosts(settings);
      const strangers = new Set<string>();
      let called = 0;
      const note = (origin: string) => {
        called += 1;
        const url = URL.parse(origin);
        if (url && reachOf(hosts, url) === "undeclared") strangers.add(url.host);
      };
      const onUndici = (message: unknown) =>
        note(String((message as { request?: { origin?: unknown } }).request?.origin));
      const onHttp = (message: unknown) => {
        const { request } = message as {
          request?: { protocol?: string; host?: string; getHeader?(name: string): string | undefined };
        };
        note(`${request?.protocol}//${request?.getHeader?.("host") ?? request?.host ?? ""}`);
      };
      // A connector that bypasses `io.http` still triggers one of these events.
      subscribe("undici:request:create", onUndici);
      subscribe("http.client.request.start", onHttp);
      try {
        for (const [, call] of firstCalls(session)) await call(session.io());
      } finally {
        unsubscribe("undici:request:create", onUndici);
        unsubscribe("http.client.request.start", onHttp);
      }
      if (connector.manifest.auth.kind === "none")
        assert(called === 0, "It makes calls, though its manifest declares no sign-in.");
      assert(strangers.size === 0, `It called ${[...strangers].join(", ")}.`);
      return undefined;
    },
  },
];
