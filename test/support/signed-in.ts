import { afterAll, beforeAll } from "vitest";
import {
  createAuthorizationServer,
  createToolChecks,
  createTrySettings,
} from "../../server/src/features/connections/index.ts";
import {
  beginSignIn,
  createImport,
  findAnyImport,
  finishSignIn,
  type ImportRecord,
  type Side,
} from "../../server/src/features/imports/index.ts";
import {
  createToolRegistry,
  findOAuthClient,
  setOAuthClient,
} from "../../server/src/features/tools/index.ts";
import { createOutbound, type Outbound } from "../../server/src/platform/outbound/index.ts";
import { Secret } from "../../server/src/platform/secret.ts";
import type { Sealer } from "../../server/src/platform/seal.ts";
import {
  client,
  openSignInPage,
  type SignInPage,
  type SignInPageOptions,
  signInConnector,
} from "./authorization-server.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { givenPartner, testSealer } from "./fixtures.ts";

export const publicUrl = "https://portage.example";
export const callback = `${publicUrl}/oauth/callback/acme-cloud`;

export const asConnector = (refreshTokens?: "single-use" | "reusable" | "none") =>
  signInConnector(refreshTokens) as never as Parameters<typeof createToolRegistry>[0][number];

/** A database, a tool with a sign-in page, and everything that customers need to sign in. */
export const useSignIn = (
  options: Omit<SignInPageOptions, "callback"> & {
    sealer?: Sealer;
    connector?: ReturnType<typeof asConnector>;
  } = {},
) => {
  const { sealer = testSealer(), connector = asConnector(), ...pageOptions } = options;
  const registry = createToolRegistry([connector]);
  const parts = {} as { db: TestDatabase; page: SignInPage; outbound: Outbound };
  beforeAll(async () => {
    parts.db = await createTestDatabase();
    parts.page = await openSignInPage({ ...pageOptions, callback });
    parts.outbound = createOutbound({ allow: [parts.page.host] });
    await setOAuthClient(parts.db, sealer, "acme-cloud", {
      id: client.id,
      secret: new Secret(client.secret),
      origins: [parts.page.url],
    });
  });
  afterAll(async () => {
    await parts.outbound.close();
    parts.page.close();
    await parts.db.drop();
  });
  const server = () =>
    createAuthorizationServer({
      transport: parts.outbound,
      findClient: (tool, origin) => findOAuthClient(parts.db, sealer, tool, origin),
    });
  const needs = () => ({
    db: parts.db,
    sealer,
    registry,
    publicUrl,
    server: server(),
    trySettings: createTrySettings(registry, createToolChecks(registry, parts.outbound)),
  });
  const typed = () => ({ instanceUrl: parts.page.url });
  const begin = (found: ImportRecord, side: Side = "source") => beginSignIn(needs())(found, side, typed());
  const finish = (found: ImportRecord, query: URLSearchParams) => finishSignIn(needs())(found, query);
  return {
    parts,
    sealer,
    registry,
    server,
    needs,
    begin,
    finish,
    newImport: async (): Promise<ImportRecord> => {
      const { partner } = await givenPartner(parts.db, { destinationTool: "acme-cloud" });
      const create = createImport({
        db: parts.db,
        sealer,
        registry,
        checkDestination: async () => ({ kind: "not_all_given" }),
      });
      const made = await create(partner, { source_tool: "acme-cloud" });
      const found = made.kind === "created" ? await findAnyImport(parts.db, sealer, made.id) : undefined;
      if (!found) throw new Error("not created");
      return found;
    },
    /** The whole way: to the page, through it, and back. */
    signIn: async (found: ImportRecord, side: Side = "source") => {
      const begun = await begin(found, side);
      if (begun.kind !== "go") throw new Error(begun.kind);
      return finish(found, await parts.page.visit(begun.url));
    },
  };
};
