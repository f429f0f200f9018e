import { type StatusCode, statusCodes } from "@portage/contract";
import {
  overviewSchema,
  retentionSchema,
  storageSchema,
  time,
  shownTool,
  waitedFor,
  workersSchema,
} from "@portage/contract/operator";
import { z } from "zod";
import { callbackUrl } from "../../features/connections/index.ts";
import { listImports } from "../../features/imports/index.ts";
import {
  countBehind,
  countLiveImports,
  countOpenImports,
  countWork,
  findStuck,
  listBacklog,
  listProcesses,
  listTableSizes,
  stuckCauses,
} from "../../features/operations/index.ts";
import { lastRetentionAt, tableRules, wantRetention } from "../../features/retention/index.ts";
import { listAccountHealth } from "../../features/tool-limits/index.ts";
import {
  listOAuthClients,
  listToolSettings,
  setToolEnabled,
  type ToolRegistry,
} from "../../features/tools/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import { Problem } from "../answer.ts";
import { operatorRoute, type OperatorRoute, type Tools } from "./operation.ts";
import { accountJson, backlogJson, importJson, stuckJson } from "./represent.ts";

const manifestsOf = (registry: ToolRegistry) =>
  [
    ...new Map(
      [...registry.all("source"), ...registry.all("destination")].map(({ manifest }) => [
        manifest.name,
        manifest,
      ]),
    ).values(),
  ].toSorted((a, b) => a.name.localeCompare(b.name, "en"));

/** More than one page of a console shows; what is left out was used longest ago. */
const usedThisWeek = { minutes: 7 * 24 * 60, limit: 500 };
/** The overview is asked for again and again: only what the workers use now. */
const usedNow = { minutes: 60, limit: 200 };

const listTools = async (db: Database, registry: ToolRegistry, lately: typeof usedThisWeek) => {
  const disabled = (await listToolSettings(db)).filter(({ enabled }) => !enabled).map(({ tool }) => tool);
  const health = await listAccountHealth(db, lately);
  const known = manifestsOf(registry);
  // A disabled tool is not offered, but its imports go on.
  const off = disabled.flatMap((name) => registry.find(name)?.manifest ?? []);
  return [...new Map([...known, ...off].map((each) => [each.name, each])).values()].map((manifest) => ({
    name: manifest.name,
    label: manifest.label,
    families: manifest.families,
    roles: manifest.roles,
    enabled: !disabled.includes(manifest.name),
    accounts: health.filter(({ tool }) => tool === manifest.name).map(accountJson),
  }));
};

const describeWork = async (db: Database) => {
  const work = await countWork(db);
  const processes = await listProcesses(db);
  return {
    processes: processes.map(({ name, release, address, sessions, since, lastActiveAt }) => ({
      name,
      release,
      address,
      sessions,
      since,
      last_active_at: lastActiveAt,
    })),
    partitions: work.partitions,
    overdue_partitions: work.overdue,
    waiting_effects: work.effects,
    oldest_effect_at: work.oldestEffectAt,
  };
};

const maxAttention = 8;
const maxPartnersBehind = 8;

export interface OverviewNeeds {
  readonly registry: ToolRegistry;
  readonly sealer: Sealer;
}

/** One call, so that a page which shows it again and again fills the audit log less. */
export const showOverview = ({ registry, sealer }: OverviewNeeds): OperatorRoute =>
  operatorRoute(
    {
      id: "showOverview",
      method: "GET",
      path: "/overview",
      area: "system",
      role: "viewer",
      summary: "Show how everything stands",
      description:
        "Open imports by status, those that run, those that are stuck and what they wait for, partners whose webhooks are " +
        "behind, tools in use with their quotas, and the processes at work.",
      answer: overviewSchema,
    },
    async ({ db }) => {
      const counted = new Map(
        (await countOpenImports(db)).map(({ status, imports }): [StatusCode, number] => [status, imports]),
      );
      const stuck = await findStuck(db);
      const longest = [...stuck.values()]
        .toSorted((a, b) => a.since.getTime() - b.since.getTime())
        .slice(0, maxAttention);
      const ids = longest.map(({ importId }) => importId);
      const found = new Map(
        (await listImports(db, sealer, { ids }, { before: null, limit: null })).map((each) => [
          each.id,
          each,
        ]),
      );
      const tools = await listTools(db, registry, usedNow);
      return {
        body: {
          imports: {
            by_status: Object.fromEntries(statusCodes.map((status) => [status, counted.get(status) ?? 0])),
            running: await countLiveImports(db),
            stuck: Object.fromEntries(
              waitedFor.map((who) => [
                who,
                [...stuck.values()].filter(({ cause }) => stuckCauses[cause].waitsFor === who).length,
              ]),
            ),
          },
          attention: ids
            .flatMap((id) => found.get(id) ?? [])
            .map((each) => ({ ...importJson(each), stuck: stuckJson(stuck.get(each.id)) })),
          webhooks: (await listBacklog(db, { behind: true, limit: maxPartnersBehind })).map(backlogJson),
          webhooks_behind: await countBehind(db),
          tools: tools.filter(({ enabled, accounts }) => !enabled || accounts.length > 0),
          workers: await describeWork(db),
        },
      };
    },
  );

const setEnabled = (tools: Tools, enabled: boolean): OperatorRoute =>
  operatorRoute(
    {
      id: enabled ? "enableTool" : "disableTool",
      method: "POST",
      path: `/tools/:id/${enabled ? "enable" : "disable"}`,
      area: "tools",
      role: "operator",
      summary: enabled ? "Offer a tool again" : "Stop offering a tool",
      description: enabled ? "Safe to repeat." : "Imports that use it go on. Safe to repeat.",
      answer: z.object({ name: z.string(), enabled: z.boolean() }),
    },
    async ({ db, params }) => {
      const { id = "" } = params;
      if (!(await tools()).find(id)) throw new Problem("not_found", "There is no such tool.");
      const before = (await listToolSettings(db)).find(({ tool }) => tool === id)?.enabled ?? true;
      await setToolEnabled(db, id, enabled);
      return {
        body: { name: id, enabled },
        target: { kind: "tool", id },
        before: { enabled: before },
        after: { enabled },
      };
    },
  );

export interface ToolRoutesNeeds {
  readonly tools: Tools;
  /** Where customers reach the wizard. */
  readonly publicUrl: string;
}

/** What customers may move from and to. */
export const toolRoutes = (needs: ToolRoutesNeeds): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "listTools",
      method: "GET",
      path: "/tools",
      area: "tools",
      role: "viewer",
      summary: "List tools with their health",
      description:
        "Each tool with the accounts that were used lately, at most 500 in all: requests, quotas, and whether the tool refuses " +
        "or fails. As the workers share it in the database; an account that none has used for a week is gone.",
      answer: z.object({ tools: z.array(shownTool) }),
    },
    async ({ db }) => {
      const registry = await needs.tools();
      const clients = await listOAuthClients(db);
      return {
        body: {
          tools: (await listTools(db, registry, usedThisWeek)).map((tool) => {
            const signIn = registry.find(tool.name)?.manifest.auth.kind ?? "none";
            // A choice is offered once a client is registered, for which the tool wants this address.
            const hasOAuth = signIn === "oauth2" || signIn === "choice";
            return {
              ...tool,
              sign_in: signIn,
              oauth_clients: clients
                .filter((client) => client.tool === tool.name)
                .map(({ origin, id }) => ({ origin, client_id: id })),
              oauth_callback_url: hasOAuth ? callbackUrl(needs.publicUrl, tool.name) : null,
            };
          }),
        },
      };
    },
  ),
  setEnabled(needs.tools, true),
  setEnabled(needs.tools, false),
];

/** The processes, the database and its retention. */
export const systemRoutes = (): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "listWorkers",
      method: "GET",
      path: "/workers",
      area: "system",
      role: "viewer",
      summary: "List processes and their work",
      description:
        "Which processes hold sessions of the database, and how much work waits. A worker without a session does nothing.",
      answer: workersSchema,
    },
    async ({ db }) => ({ body: await describeWork(db) }),
  ),
  operatorRoute(
    {
      id: "showStorage",
      method: "GET",
      path: "/storage",
      area: "system",
      role: "viewer",
      summary: "Show the size of tables",
      description: "With their indexes, largest first; rows as the planner estimates them.",
      answer: storageSchema,
    },
    async ({ db }) => {
      const { databaseBytes, tables } = await listTableSizes(db);
      return { body: { database_bytes: databaseBytes, tables } };
    },
  ),
  operatorRoute(
    {
      id: "showRetention",
      method: "GET",
      path: "/retention",
      area: "system",
      role: "viewer",
      summary: "Show retention",
      description: "When data past its retention was last erased, and the rule of every table.",
      answer: retentionSchema,
    },
    async ({ db }) => ({
      body: {
        last_run_at: await lastRetentionAt(db),
        tables: Object.entries(tableRules).map(([table, { kept, atErasure }]) => ({
          table: table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          kept,
          at_erasure: atErasure,
        })),
      },
    }),
  ),
  operatorRoute(
    {
      id: "runRetention",
      method: "POST",
      path: "/retention/run",
      area: "system",
      role: "admin",
      summary: "Run retention now",
      description:
        "A worker archives idle imports and deletes what is past its time, within ten minutes, and not only once a day. Safe to repeat.",
      answer: z.object({ last_run_at: time.nullable().describe("Of the run before.") }),
    },
    async ({ db }) => {
      const lastRunAt = await lastRetentionAt(db);
      await wantRetention(db);
      return {
        body: { last_run_at: lastRunAt },
        target: { kind: "system", id: "retention" },
        before: { last_run_at: lastRunAt },
        after: { wanted: true },
      };
    },
  ),
];
