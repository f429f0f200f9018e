import type { Connector } from "@portage/connector-kit";
import type { Family, StatusCode } from "@portage/contract";
import { createAuthorizer, createHttp, createLocalLimiter } from "@portage/connector-kit/http";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { createKeptAnswers } from "../../server/src/features/connections/kept-answers.ts";
import {
  findAnyImport,
  type ImportEvent,
  moveImport,
  requireSignIn,
  type RunCause,
} from "../../server/src/features/imports/index.ts";
import { insertImport } from "../../server/src/features/imports/store-changes.ts";
import { newImportState } from "../../server/src/features/imports/state.ts";
import { newLinkToken } from "../../server/src/features/imports/link.ts";
import {
  type ChunkToSend,
  createRuns,
  type OpenedSide,
  type OpenRunSide,
  type RunMapping,
  type RunService,
  type RunsNeeds,
} from "../../server/src/features/runs/index.ts";
import { setMappingRevision } from "../../server/src/features/runs/lifecycle/store-runs.ts";
import type { Database } from "../../server/src/platform/db.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { newId } from "../../server/src/platform/ids.ts";
import type { Sealer } from "../../server/src/platform/seal.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { givenPartner, testSealer } from "../support/fixtures.ts";
import type { StandIn } from "../tools/stand-in/stand-in.ts";

export interface Ends {
  readonly connector: Connector<never>;
  readonly tool: Pick<StandIn, "url" | "token">;
  /** Beside the address and the token. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

const transport = createPlainTransport();

export const openEnd = ({ connector, tool, settings: more }: Ends): OpenedSide => {
  const { manifest } = connector as unknown as Connector;
  const settings = { instanceUrl: tool.url, token: tool.token, ...more };
  const limiter = createLocalLimiter(manifest.limits, manifest.concurrency);
  return {
    kind: "open",
    connector,
    settings,
    accountId: tool.url,
    revision: 1,
    offered: async () => connector.destination ?? {},
    io: (signal, mayStart) => ({
      scope: {},
      http: createHttp({
        manifest,
        settings,
        transport,
        authorizer: createAuthorizer(manifest, settings, null),
        limiter,
        signal,
        ...(mayStart ? { mayStart } : {}),
        retry: { attempts: 2, firstDelayMs: 10 },
      }),
      settings,
      signal,
    }),
  };
};

export const asItIs: RunMapping = {
  revision: 0,
  includes: () => true,
  creations: [],
  uses: [],
  isSelected: () => true,
  copiedPeopleIn: () => [],
  personFields: () => [],
  apply: (_, record) => ({ record, changes: [] }),
  personFor: () => ({ kind: "copy" }),
  differsFrom: () => false,
  makesSameAs: () => false,
  asOf: () => null,
  choosesLike: () => false,
};

export interface BeginOptions {
  readonly partitions?: number;
  readonly status?: StatusCode;
  readonly family?: Family;
  /** Read at the start of each run and by each chunk that needs it. */
  readonly mapping?: Partial<RunMapping> | (() => RunMapping);
  /** Default: the run uses `mapping` without a call to the tools. */
  readonly chooseMapping?: RunsNeeds["chooseMapping"];
  /** Default: `mapping`, whatever the revision. */
  readonly loadMapping?: RunsNeeds["loadMapping"];
  readonly sampleBounds?: RunsNeeds["sampleBounds"];
  readonly pagesPerChunk?: number;
  readonly msPerChunk?: number;
  /** Wraps the database that the runs use. */
  readonly database?: (db: Database) => Database;
  readonly verifyAtMost?: number;
  readonly times?: RunsNeeds["times"];
  readonly silence?: RunsNeeds["silence"];
  /** Default: silent. */
  readonly log?: RunsNeeds["log"];
}

/** The runs of one import between two tools, driven by a plain loop instead of an engine. */
export const createRunsFixture = async (
  given: { readonly db?: TestDatabase; readonly sealer?: Sealer } = {},
) => {
  const db: TestDatabase = given.db ?? (await createTestDatabase());
  const sealer = given.sealer ?? testSealer();
  const { partner, token } = await givenPartner(db, { payer: "partner" });

  const begin = async (source: Ends, destination: Ends, options: BeginOptions = {}) => {
    const importId = newId("imp");
    const sides = { source: openEnd(source), destination: openEnd(destination) };
    const gone = new Set<string>();
    const { mapping } = options;
    const mappingNow = () => (typeof mapping === "function" ? mapping() : { ...asItIs, ...mapping });
    const keptAnswers = createKeptAnswers();
    const openSide: OpenRunSide = async ({ side, runId }) => {
      if (gone.has(side)) return { kind: "missing" };
      const opened = sides[side];
      const kept = keptAnswers(runId ?? "");
      return side === "source" ? { ...opened, io: (...of) => ({ ...opened.io(...of), kept }) } : opened;
    };
    const runs: RunService = createRuns({
      db: options.database?.(db) ?? db,
      log: options.log ?? createLog("silent"),
      openSide,
      destinationStreams: async ({ connector }, family) => connector.destination?.[family] ?? [],
      requireSignIn: requireSignIn(db),
      loadMapping: options.loadMapping ?? (async () => mappingNow()),
      chooseMapping:
        options.chooseMapping ??
        (async ({ lease }) => {
          const { revision } = mappingNow();
          await setMappingRevision(db, lease, revision);
          return revision;
        }),
      ...(options.sampleBounds ? { sampleBounds: options.sampleBounds } : {}),
      times: options.times ?? { leaseMs: 3_000, writeMs: 1_500 },
      budget: { pages: options.pagesPerChunk ?? 50, ms: options.msPerChunk ?? 600_000 },
      sealer,
      silence: options.silence ?? { mailbox: null, waitMs: 0 },
      limits: {
        parallelPartitions: options.partitions ?? 1,
        recordsPerPartition: 1,
        verifyAtMost: options.verifyAtMost ?? 10_000,
      },
    });
    await db.sql.transaction().execute((tx) =>
      insertImport(tx, sealer, {
        id: importId,
        partnerId: partner.id,
        sourceTool: "stand-in",
        destinationTool: "stand-in",
        family: options.family ?? "helpdesk",
        reference: null,
        destinationInstanceUrl: null,
        destinationUsername: null,
        signInName: null,
        linkToken: newLinkToken(),
        destinationToken: null,
        state: {
          ...newImportState(true, "partner"),
          status: options.status ?? "in_preparation",
          sourceConnected: true,
          destinationConnected: true,
        },
        warnings: [],
      }),
    );
    const move = (event: ImportEvent) =>
      moveImport(db, event, { importId, partnerId: null, actor: { kind: "customer" } });

    /** Turns pending effects of the outbox into chunks. */
    const dispatch = async (): Promise<readonly ChunkToSend[]> => {
      const { rows } = await db.pool.query<{
        id: number;
        effect: { kind: string; run: never; causes?: readonly RunCause[] };
      }>(
        `update outbox set dispatched_at = now() where import_id = $1 and dispatched_at is null
         and effect ->> 'kind' <> 'notify' returning id, effect`,
        [importId],
      );
      const send: ChunkToSend[] = [];
      for (const { id, effect } of rows.toSorted((a, b) => a.id - b.id)) {
        if (effect.kind === "start_run")
          send.push(
            ...(await runs.startRun({
              importId,
              kind: effect.run,
              causes: effect.causes ?? null,
              outboxId: id,
            })),
          );
        if (effect.kind === "stop_run") send.push(...(await runs.stopRun({ importId })));
        if (effect.kind === "pause_run") await runs.pauseRun({ importId });
        if (effect.kind === "unpause_run") send.push(...(await runs.unpauseRun({ importId })));
      }
      return send;
    };

    /** The engine drops what has the key of an earlier chunk. */
    const sent = new Set<string>();
    const isNew = ({ runId, partition, generation }: ChunkToSend) => {
      const key = `${runId}:${partition}:${generation}`;
      const { size } = sent;
      return sent.add(key).size > size;
    };

    /** `copies`: an engine that considers a worker dead works on a chunk again. */
    const work = async (first: readonly ChunkToSend[], copies = 1): Promise<void> => {
      const { signal } = new AbortController();
      const one = async (chunk: ChunkToSend): Promise<void> => {
        // Only what is sent can be worked on twice.
        const { send } = await (copies > 1 ? runs.workChunk : runs.workOn)(chunk, { signal });
        await work(send, copies);
      };
      // Else each would be worked on by more and more.
      const taken = copies > 1 ? first.filter(isNew) : first;
      const again = Array.from({ length: copies }, () => taken).flat();
      await Promise.all(
        again.map(async (chunk) => {
          await new Promise((resolve) => setTimeout(resolve, Math.min(chunk.delayMs, 5_000)));
          await one(chunk);
        }),
      );
    };

    return {
      importId,
      openSide,
      runs,
      gone,
      move,
      dispatch,
      work,
      /** Applies an event and does all the work that follows. */
      run: async (event: ImportEvent) => {
        const moved = await move(event);
        if (moved.kind !== "moved") throw new Error(`${event.type} was ${moved.kind}.`);
        await work(await dispatch());
      },
      status: async () => (await findAnyImport(db, sealer, importId))?.state.status,
      ledger: async () => {
        const { rows } = await db.pool.query<{
          stream: string;
          state: number;
          reason: string | null;
          n: number;
        }>(
          "select stream, state, reason, count(*)::int as n from ledger where import_id = $1 group by 1, 2, 3 order by 1, 2, 3",
          [importId],
        );
        return rows;
      },
      partitions: async () =>
        (
          await db.pool.query("select * from partitions where import_id = $1 order by started_at, no", [
            importId,
          ])
        ).rows,
    };
  };
  return { db, sealer, partner, token, begin, drop: () => db.drop() };
};
