import { afterAll, beforeAll, expect } from "vitest";
import type { Connector } from "@portage/connector-kit";
import { createCsv, redmine } from "@portage/connectors";
import { createToolChecks, type ToolCheck } from "../../server/src/features/connections/index.ts";
import { createUploads } from "../../server/src/features/uploads/index.ts";
import { createBlobStores, storeNames } from "../../server/src/main/blob-stores.ts";
import { readPart } from "../../server/src/main/config.ts";
import { tableReader } from "../../server/src/main/table-reader.ts";
import { createApi } from "../../server/src/main/create-api.ts";
import { createToolRegistry, type ToolRegistry } from "../../server/src/features/tools/index.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { createOutbound, type Outbound } from "../../server/src/platform/outbound/index.ts";
import type { Sealer } from "../../server/src/platform/seal.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { givenPartner, testRegistry, testSealer, testSigner, testWebFolder } from "../support/fixtures.ts";
import { type Received, type Sent, send } from "./http-client.ts";
import { createOpenApiCheck } from "./openapi-check.ts";

export const live = "/api/v2.1";
export const sandbox = "/api/sandbox";
export const bothBases = [{ base: live }, { base: sandbox }];

const isPartnerApi = (path: string) => /^\/api\/(v2\.1|sandbox|simulator)\//.test(path);

/** The values of a 422 continue the property's name; only these two hold sentences. */
const expectPredicates = (errors: unknown) => {
  for (const [property, values] of Object.entries(errors as Record<string, string[]>))
    for (const value of values)
      if (property === "base" || property === "destination") expect(value).toMatch(/^[A-Z\d].*[.]$/s);
      else expect(value).not.toMatch(/^[A-Z]|[.]$/);
};

export interface TestApi {
  readonly db: TestDatabase;
  readonly origin: string;
  readonly sealer: Sealer;
  /** The whole log, one JSON line per entry. */
  readonly logged: () => string;
  /** Sends a request and checks the answer against the OpenAPI document and the rules of every answer. */
  ask(sent: Sent): Promise<Received>;
  /** A new partner per test, so that no test uses up the rate limit of another. */
  partner: (settings?: Parameters<typeof givenPartner>[1]) => ReturnType<typeof givenPartner>;
}

/** The API as `main/api.ts` builds it, on loopback, with its own database. */
export const useApi = (
  options: {
    registry?: ToolRegistry;
    toolChecks?: ReadonlyMap<string, ToolCheck>;
    outbound?: Outbound;
    signInFailuresPerMinute?: number;
    connectAttemptsPerMinute?: number;
    requestTimeoutMs?: number;
    webFolder?: string;
    downloadsFolder?: string;
    siteFolder?: string;
    sendsMail?: boolean;
    /** Customers can upload files, which the tool `csv` reads. */
    takesFiles?: boolean;
  } = {},
): TestApi => {
  let db: TestDatabase;
  let origin = "";
  let check: ReturnType<typeof createOpenApiCheck>;
  let close: () => Promise<void> = async () => {};
  const lines: string[] = [];
  const sealer = testSealer();
  beforeAll(async () => {
    db = await createTestDatabase();
    const { outbound = createOutbound() } = options;
    const uploads = createUploads({ db, sealer, blobs: createBlobStores(db, readPart(storeNames, {})) });
    const withFiles = createToolRegistry([
      redmine,
      createCsv({ files: uploads }),
    ] as readonly unknown[] as Connector[]);
    const files = options.takesFiles && {
      registry: withFiles,
      toolChecks: createToolChecks(withFiles, outbound),
      files: { uploads, tables: tableReader },
    };
    const api = createApi({
      db,
      sealer,
      signer: testSigner(),
      registry: options.registry ?? testRegistry(),
      toolChecks: options.toolChecks ?? new Map(),
      outbound,
      ...files,
      log: createLog("info", { write: (line) => void lines.push(line) }),
      publicUrl: "https://portage.example",
      webFolder: options.webFolder ?? testWebFolder,
      ...(options.downloadsFolder !== undefined && { downloadsFolder: options.downloadsFolder }),
      siteFolder: options.siteFolder,
      sendsMail: options.sendsMail ?? false,
      signInFailuresPerMinute: options.signInFailuresPerMinute ?? 1_000_000,
      ...(options.connectAttemptsPerMinute && {
        connectAttemptsPerMinute: options.connectAttemptsPerMinute,
      }),
      requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
      trustedProxies: [],
    });
    origin = await api.app.listen({ host: "127.0.0.1", port: 0 });
    check = createOpenApiCheck(api.openApi);
    close = async () => {
      await api.app.close();
      await outbound.close();
    };
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
    logged: () => lines.join(""),
    ask: async (sent) => {
      const received = await send(origin, sent);
      expect(check(sent, received)).toEqual([]);
      if (received.status === 422 && isPartnerApi(sent.path)) expectPredicates(received.json);
      expect(received.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
      expect(received.headers["cache-control"]).toBe("no-store");
      expect(received.headers.etag).toBeUndefined();
      if (received.text !== "" && sent.path.startsWith("/api/"))
        expect(received.headers["content-type"]).toBe("application/json; charset=utf-8");
      return received;
    },
    partner: (settings) => givenPartner(db, settings),
  };
};

export interface CreatedBody {
  id: string;
  token: string;
  redirect_url: string;
}

export const created = async (api: TestApi, token: string, body: object = {}): Promise<CreatedBody> => {
  const { status, json } = await api.ask({
    method: "POST",
    path: `${live}/imports`,
    token,
    body: { source_tool: "request-tracker", ...body },
  });
  expect(status).toBe(201);
  return json as CreatedBody;
};
