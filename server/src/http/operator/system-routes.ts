import { families } from "@portage/contract";
import { z } from "zod";
import { countWork, listProcesses, listTableSizes } from "../../features/operations/index.ts";
import { lastRetentionAt, tableRules } from "../../features/retention/index.ts";
import { listAccountHealth } from "../../features/tool-limits/index.ts";
import { listToolSettings, setToolEnabled, type ToolRegistry } from "../../features/tools/index.ts";
import type { Database } from "../../platform/db.ts";
import { Problem } from "../answer.ts";
import { operatorRoute, type OperatorRoute } from "./operation.ts";
import { time } from "./schemas.ts";

const manifestsOf = (registry: ToolRegistry) =>
  [
    ...new Map(
      [...registry.all("source"), ...registry.all("destination")].map(({ manifest }) => [
        manifest.name,
        manifest,
      ]),
    ).values(),
  ].toSorted((a, b) => a.name.localeCompare(b.name, "en"));

const account = z.object({
  account_id: z.string(),
  requests_last_minute: z.number(),
  requests_per_minute: z.number().nullable().describe("What the tool allows, as far as known."),
  wait_seconds: z.number().describe("How long no request may start."),
  circuit_open: z.boolean().describe("It fails so often that only probes are sent."),
  refused_since: time.nullable().describe("Since when it answers that there were too many requests."),
  quotas: z.array(
    z.object({ name: z.string(), requests: z.number(), per_seconds: z.number(), used: z.number() }),
  ),
});

const toolSchema = z.object({
  name: z.string(),
  label: z.string(),
  families: z.array(z.enum(families)),
  roles: z.array(z.enum(["source", "destination"])),
  enabled: z.boolean(),
  accounts: z.array(account),
});

/** Far more than one page of a console shows. */
const mostAccounts = 2_000;

const listTools = async (db: Database, registry: ToolRegistry) => {
  const disabled = (await listToolSettings(db)).filter(({ enabled }) => !enabled).map(({ tool }) => tool);
  const health = await listAccountHealth(db, mostAccounts);
  const known = manifestsOf(registry);
  // A disabled tool is not offered, but its imports go on.
  const off = disabled.flatMap((name) => registry.find(name)?.manifest ?? []);
  return [...new Map([...known, ...off].map((each) => [each.name, each])).values()].map((manifest) => ({
    name: manifest.name,
    label: manifest.label,
    families: manifest.families,
    roles: manifest.roles,
    enabled: !disabled.includes(manifest.name),
    accounts: health
      .filter(({ tool }) => tool === manifest.name)
      .map((each) => ({
        account_id: each.accountId,
        requests_last_minute: each.lastMinute,
        requests_per_minute: each.requestsPerMinute,
        wait_seconds: Math.ceil(each.waitMs / 1000),
        circuit_open: each.circuitOpen,
        refused_since: each.refusedSince,
        quotas: each.quotas.map(({ name, requests, perMs, used }) => ({
          name,
          requests,
          per_seconds: perMs / 1000,
          used,
        })),
      })),
  }));
};

const setEnabled = (registry: ToolRegistry, enabled: boolean): OperatorRoute =>
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
      if (!registry.find(id)) throw new Problem("not_found", "There is no such tool.");
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

export const systemRoutes = ({ registry }: { readonly registry: ToolRegistry }): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "listTools",
      method: "GET",
      path: "/tools",
      area: "tools",
      role: "viewer",
      summary: "List tools with their health",
      description:
        "Each tool with the accounts that were used lately: requests, quotas, and whether the tool refuses or fails. As the " +
        "workers share it in the database; an account that none has used for a week is gone.",
      answer: z.object({ tools: z.array(toolSchema) }),
    },
    async ({ db }) => ({ body: { tools: await listTools(db, registry) } }),
  ),
  setEnabled(registry, true),
  setEnabled(registry, false),
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
      answer: z.object({
        processes: z.array(
          z.object({
            name: z.string(),
            address: z.string().nullable(),
            sessions: z.int(),
            since: time,
            last_active_at: time.nullable(),
          }),
        ),
        partitions: z.int().describe("Parts of live runs."),
        overdue_partitions: z.int().describe("Those whose lease is over."),
        waiting_effects: z.int().describe("Work that no worker has taken yet."),
        oldest_effect_at: time.nullable(),
      }),
    },
    async ({ db }) => {
      const work = await countWork(db);
      const processes = await listProcesses(db);
      return {
        body: {
          processes: processes.map(({ name, address, sessions, since, lastActiveAt }) => ({
            name,
            address,
            sessions,
            since,
            last_active_at: lastActiveAt,
          })),
          partitions: work.partitions,
          overdue_partitions: work.overdue,
          waiting_effects: work.effects,
          oldest_effect_at: work.oldestEffectAt,
        },
      };
    },
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
      answer: z.object({
        database_bytes: z.number(),
        tables: z.array(z.object({ table: z.string(), bytes: z.number(), rows: z.number() })),
      }),
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
      answer: z.object({
        last_run_at: time.nullable(),
        tables: z.array(
          z.object({
            table: z.string(),
            kept: z.string(),
            at_erasure: z.enum(["deleted", "cleared", "kept", "none"]),
          }),
        ),
      }),
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
];
