import type { Connector } from "@portage/connector-kit";
import { createLocalLimiter } from "@portage/connector-kit/http";
import {
  createOpenSide,
  destinationStreams,
  saveConnection,
} from "../../server/src/features/connections/index.ts";
import {
  findAnyImport,
  type ImportEvent,
  listWarnings,
  moveImport,
  type Side,
} from "../../server/src/features/imports/index.ts";
import { newLinkToken } from "../../server/src/features/imports/link.ts";
import { newImportState } from "../../server/src/features/imports/state.ts";
import { insertImport } from "../../server/src/features/imports/store-changes.ts";
import { createPreflight, createStartAfterPreflight } from "../../server/src/features/preflight/index.ts";
import { createToolRegistry } from "../../server/src/features/tools/index.ts";
import { newId } from "../../server/src/platform/ids.ts";
import { createOutbound } from "../../server/src/platform/outbound/index.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { givenPartner, testSealer } from "../support/fixtures.ts";
import { standInConnector, type StandInConnectorOptions } from "../tools/stand-in/connector.ts";
import type { StandInOptions } from "../tools/stand-in/options.ts";
import { type StandIn, startStandIn } from "../tools/stand-in/stand-in.ts";

export interface PreflightOptions {
  readonly source?: Partial<StandInOptions>;
  readonly destination?: Partial<StandInOptions>;
  /** Changes the destination's connector. */
  readonly adapt?: (connector: Connector) => Connector;
  readonly connecting?: Partial<StandInConnectorOptions>;
  readonly withinMs?: number;
  readonly requestsPerMinute?: number | null;
  readonly patienceMs?: number;
  readonly giveUpAfterMs?: number;
}

const sealer = testSealer();

/** Imports between two stand-ins over real HTTP, connected and waiting for their full run. */
export const createPreflightFixture = async () => {
  const db: TestDatabase = await createTestDatabase();
  const { partner, token: partnerToken } = await givenPartner(db, { payer: "partner" });
  const cleanUps: (() => Promise<unknown>)[] = [];

  const begin = async (options: PreflightOptions = {}) => {
    const counts = { users: 3, tickets: 5, comments: 7 };
    const source = await startStandIn({ counts, ...options.source });
    const destination = await startStandIn({ seed: "other", ...options.destination });
    const plain = { family: "helpdesk", paging: "keyset", pageSize: 2, ...options.connecting } as const;
    const adapt = options.adapt ?? ((connector) => connector);
    const registry = createToolRegistry([
      standInConnector({ ...plain, name: "stand-in", label: "Old Desk" }),
      adapt(standInConnector({ ...plain, name: "new-desk", label: "New Desk" })),
    ]);
    const outbound = createOutbound({ allow: [source, destination].map(({ url }) => new URL(url).host) });
    cleanUps.push(
      () => outbound.close(),
      () => source.close(),
      () => destination.close(),
    );
    const importId = newId("imp");
    const linkToken = newLinkToken();
    const connect = (side: Side, tool: StandIn) =>
      db.sql.transaction().execute((tx) =>
        saveConnection(
          tx,
          sealer,
          { importId, side },
          {
            tool: side === "source" ? "stand-in" : "new-desk",
            settings: { instanceUrl: tool.url, token: tool.token },
            account: { signInName: "importer", accountName: "Stand-in", accountId: tool.url },
            tokens: null,
          },
        ),
      );
    await db.sql.transaction().execute((tx) =>
      insertImport(tx, sealer, {
        id: importId,
        partnerId: partner.id,
        sourceTool: "stand-in",
        destinationTool: "new-desk",
        family: "helpdesk",
        reference: null,
        destinationInstanceUrl: null,
        destinationUsername: null,
        signInName: null,
        linkToken,
        destinationToken: null,
        warnings: [],
        state: { ...newImportState(true, "partner"), sourceConnected: true },
      }),
    );
    await connect("source", source);
    await connect("destination", destination);
    const move = (event: ImportEvent) =>
      moveImport(db, event, { importId, partnerId: null, actor: { kind: "customer" } });
    // The state machine itself requests the pre-flight.
    await move({ type: "connected", side: "destination" });

    const openSide = createOpenSide({
      db,
      sealer,
      registry,
      transport: outbound,
      limiterFor: ({ limits, concurrency }) => createLocalLimiter(limits, concurrency),
    });
    const preflight = createPreflight({
      silence: { mailbox: null },
      db,
      sealer,
      openSide,
      destinationStreams,
      requestsPerMinute: async () => options.requestsPerMinute ?? null,
      ...(options.withinMs !== undefined && { withinMs: options.withinMs }),
    });
    const { patienceMs = 20_000, giveUpAfterMs } = options;
    const start = createStartAfterPreflight({
      db,
      sealer,
      openSide,
      preflight,
      patienceMs,
      ...(giveUpAfterMs !== undefined && { giveUpAfterMs }),
    });
    return {
      importId,
      source,
      destination,
      registry,
      outbound,
      connect,
      move,
      openSide,
      linkToken: linkToken.reveal(),
      preflight: () => preflight(importId),
      start: ({ planned = false } = {}) => start({ importId, planned }),
      state: async () => (await findAnyImport(db, sealer, importId))?.state,
      warnings: () => listWarnings(db, importId),
      runsAskedFor: async () => {
        const { rows } = await db.pool.query(
          "select from outbox where import_id = $1 and effect ->> 'kind' = 'start_run'",
          [importId],
        );
        return rows.length;
      },
      /** How many requests for a pre-flight are pending. */
      startsAskedFor: async () => {
        const { rows } = await db.pool.query(
          "select from outbox where import_id = $1 and dispatched_at is null and effect ->> 'kind' = 'start_after_preflight'",
          [importId],
        );
        return rows.length;
      },
      /** Marks the effects as dispatched, as the dispatcher does. */
      dispatched: () =>
        db.pool.query("update outbox set dispatched_at = now() where import_id = $1", [importId]),
      /** Backdates the effects in the outbox. */
      backdate: (ms: number) =>
        db.pool.query(
          "update outbox set created_at = now() - $2 * interval '1 millisecond' where import_id = $1",
          [importId, ms],
        ),
    };
  };
  return {
    db,
    sealer,
    begin,
    partnerToken,
    drop: async () => {
      for (const cleanUp of cleanUps) await cleanUp();
      await db.drop();
    },
  };
};
