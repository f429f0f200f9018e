import { redmine, requestTracker, zendesk } from "@portage/connectors";
import { afterAll, beforeAll, expect } from "vitest";
import { createCheckDestination } from "../../server/src/features/connections/index.ts";
import { createImport, type ImportEvent, moveImport } from "../../server/src/features/imports/index.ts";
import {
  insertStaff,
  issueStaffToken,
  type Area,
  type OidcClient,
  type Role,
} from "../../server/src/features/staff/index.ts";
import { createToolRegistry } from "../../server/src/features/tools/index.ts";
import { operatorBase } from "../../server/src/http/operator/base.ts";
import { operatorRoutes } from "../../server/src/http/operator/index.ts";
import type { OperatorOperation } from "../../server/src/http/operator/operation.ts";
import { createOperatorApi } from "../../server/src/main/create-operator-api.ts";
import { newId } from "../../server/src/platform/ids.ts";
import { createLog } from "../../server/src/platform/log.ts";
import type { Resolve } from "../../server/src/platform/outbound/index.ts";
import type { Sealer } from "../../server/src/platform/seal.ts";
import { type Received, type Sent, send } from "../contract/http-client.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { givenPartner, testSealer, testSigner, testWebFolder } from "./fixtures.ts";

/** Where browsers reach it, as its configuration says. */
export const operatorUrl = "https://operator.portage.example";

/** What the console's pages send with a change. */
export const consoleHeaders = { origin: operatorUrl, "x-portage-console": "1" };

export interface Person {
  readonly id: string;
  readonly token: string;
  readonly tokenId: string;
  /** Of a browser that the person signed in with: sent in place of the token. */
  readonly cookie?: string;
}

export interface TestOperatorApi {
  readonly db: TestDatabase;
  readonly origin: string;
  readonly sealer: Sealer;
  readonly operations: readonly OperatorOperation[];
  person(
    role: Role,
    options?: { readonly tokenRole?: Role; readonly areas?: readonly Area[] },
  ): Promise<Person>;
  /** Sends a request as this person, and holds a 200 to the operation's schema. */
  ask(person: Person | null, sent: Omit<Sent, "token">): Promise<Received>;
  /** An import with an open link, after these events. */
  givenImport(events?: readonly ImportEvent[]): Promise<{ id: string; partnerId: string; token: string }>;
}

/** Both sides connected. */
export const connected: readonly ImportEvent[] = [
  { type: "connected", side: "source" },
  { type: "connected", side: "destination" },
];

/** A sample that is done. */
export const sampled: readonly ImportEvent[] = [
  ...connected,
  { type: "sample_started" },
  { type: "run_done" },
];

const matches = ({ method, path }: OperatorOperation, sent: Sent) => {
  const pattern = new RegExp(`^${operatorBase}${path.replaceAll(":id", "[^/?]+")}(\\?.*)?$`);
  return method === (sent.method ?? "GET") && pattern.test(sent.path);
};

/** The operator API as `main/api.ts` builds it, on loopback, with its own database. */
export const useOperatorApi = ({
  oidc,
  resolve,
}: {
  readonly oidc?: () => OidcClient;
  readonly resolve?: Resolve;
} = {}): TestOperatorApi => {
  let db: TestDatabase;
  let origin = "";
  let close: () => Promise<void> = async () => {};
  const sealer = testSealer();
  // One of them has OAuth clients.
  const registry = createToolRegistry([redmine, requestTracker, zendesk]);
  const needs = {
    sealer,
    registry,
    signer: testSigner(),
    publicUrl: "https://portage.example",
    operatorUrl,
    webhookAllow: ["127.0.0.1:9"],
    signInFailuresPerMinute: 1_000_000,
    ...(resolve && { resolve }),
  };
  const operations = operatorRoutes({
    ...needs,
    openSide: async () => ({ kind: "missing" }),
    destinationStreams: async () => [],
  }).map(({ operation }) => operation);
  beforeAll(async () => {
    db = await createTestDatabase();
    const api = createOperatorApi({
      ...needs,
      db,
      oidc: oidc?.() ?? null,
      log: createLog("silent"),
      webFolder: testWebFolder,
      requestTimeoutMs: 30_000,
      trustedProxies: [],
    });
    origin = await api.app.listen({ host: "127.0.0.1", port: 0 });
    close = () => api.app.close();
  });
  afterAll(async () => {
    await close();
    await db.drop();
  });
  return {
    get db() {
      return db;
    },
    get origin() {
      return origin;
    },
    sealer,
    operations,
    person: async (role, { tokenRole = role, areas = null } = {}) => {
      const id = newId("stf");
      await insertStaff(db, id, { name: `Jo ${role}`, email: `${id}@acme.example`, role });
      const wanted = { label: "test", role: tokenRole, areas: areas && [...areas], days: 1 };
      const { token, record } = await issueStaffToken(db, id, wanted);
      return { id, token: token.reveal(), tokenId: record.id };
    },
    ask: async (person, sent) => {
      // No test uses up the rate limit of another.
      await db.pool.query("delete from request_ring");
      const headers = {
        ...(person &&
          (person.cookie === undefined
            ? { authorization: `Bearer ${person.token}` }
            : { cookie: person.cookie, ...consoleHeaders })),
        ...sent.headers,
      };
      const received = await send(origin, { ...sent, headers });
      expect(received.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(received.headers["cache-control"]).toBe("no-store");
      expect(received.headers["access-control-allow-origin"]).toBeUndefined();
      const operation = operations.find((each) => matches(each, sent));
      // Node itself answers headers that are too large.
      if (operation && received.status !== 431)
        expect(received.headers["x-content-type-options"]).toBe("nosniff");
      if (received.status === 200 && operation?.answer) {
        const parsed = operation.answer.safeParse(received.json);
        expect(parsed.error?.issues ?? [], `${operation.id}: ${received.text.slice(0, 400)}`).toEqual([]);
      }
      return received;
    },
    givenImport: async (events = []) => {
      const { partner, token } = await givenPartner(db);
      const create = createImport({
        db,
        sealer,
        registry,
        checkDestination: createCheckDestination(registry, new Map()),
      });
      const made = await create(partner, {
        source_tool: "request-tracker",
        reference: "ws_acme",
        destination_username: "jo@acme.example",
      });
      if (made.kind !== "created") throw new Error("not created");
      for (const event of events) {
        const moved = await moveImport(db, event, {
          importId: made.id,
          partnerId: null,
          actor: { kind: "system" },
        });
        if (moved.kind !== "moved") throw new Error(`${event.type}: ${moved.kind}`);
      }
      return { id: made.id, partnerId: partner.id, token };
    },
  };
};
