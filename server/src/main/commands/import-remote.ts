import type { Command } from "commander";
import type { runJson, stuckJson } from "../../http/operator/represent.ts";
import { CommandError } from "./command-error.ts";
import { type ImportJson, importSheet, importTable } from "./import-shown.ts";
import type { Operator } from "./operator.ts";
import { findClient } from "./operator-client.ts";
import { dateText, table } from "./table.ts";

/** Over the wire a time is a text. */
type OnWire<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] };
type WireImport = OnWire<ImportJson>;
type Stuck = Pick<NonNullable<ReturnType<typeof stuckJson>>, "cause" | "waits_for" | "text"> & {
  readonly since: string;
};

const toShown = (json: WireImport): ImportJson => ({
  ...json,
  created_at: new Date(json.created_at),
  active_at: new Date(json.active_at),
});

export const reasonOption = (command: Command): Command =>
  command.option("--reason <text>", "Why, for the audit log; needs the operator API");

const stuckLine = ({ cause, since, waits_for, text }: Stuck) =>
  `Stuck since ${dateText(new Date(since))} (${cause}, waits for ${waits_for}): ${text}`;

interface ShownRemotely extends WireImport {
  readonly stuck: Stuck | null;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly runs: readonly Pick<ReturnType<typeof runJson>, "id" | "kind" | "state" | "failure">[];
  readonly timeline: readonly {
    readonly at: string;
    readonly what: string;
    readonly by: string;
    readonly reason: string | null;
    readonly to_status: string | null;
  }[];
}

const shownText = (json: ShownRemotely, link: string | null): string => {
  const failure = json.runs[0]?.failure;
  return [
    importSheet(toShown(json), link),
    ...(json.stuck ? [`\n${stuckLine(json.stuck)}`] : []),
    ...json.warnings.map(({ code, message }) => `\nWarning ${code}: ${message}`),
    ...(failure
      ? [`\nThe last run (${json.runs[0]?.kind}) failed: ${failure.code}. ${failure.message}`]
      : []),
    `\n${table(
      ["at", "what", "by", "status", "reason"],
      json.timeline.map(({ at, what, by, to_status, reason }) => [new Date(at), what, by, to_status, reason]),
    )}`,
  ].join("\n");
};

/** The commands on imports through the operator API; null: the command works on the database. */
export const importClient = async (operator: Operator, reason?: string) => {
  const call = await findClient(operator);
  if (!call) {
    if (reason !== undefined)
      throw new CommandError("direct_only", "--reason needs the operator API: its audit log keeps it.", {
        fix: "Set PORTAGE_OPERATOR_URL and run: portage login",
        exitCode: 2,
      });
    return null;
  }
  const path = (id: string, rest = "") => `/imports/${encodeURIComponent(id)}${rest}`;
  const change = <T>(id: string, rest: string, body: object = {}) =>
    call<T>(path(id, rest), { method: "POST", body: { ...body, ...(reason !== undefined && { reason }) } });
  const control = async (id: string, rest: string, done: string, body: object = {}) => {
    const json = await change<WireImport & { changed: boolean }>(id, rest, body);
    operator.answer(json, () =>
      json.changed ? `${id} ${done}.` : `${id} ${done} already; nothing changed.`,
    );
  };
  return {
    list: async (asked: {
      limit: number;
      partner: string | null;
      before: string | null;
      stuck: true | undefined;
    }) => {
      const query = new URLSearchParams({ limit: String(Math.min(asked.limit, 200)) });
      if (asked.partner !== null) query.set("partner", asked.partner);
      if (asked.before !== null) query.set("before", asked.before);
      if (asked.stuck) query.set("stuck", "true");
      const json = await call<{ imports: (WireImport & { stuck: Stuck | null })[]; next: string | null }>(
        `/imports?${query.toString()}`,
      );
      operator.answer(json, () =>
        [
          importTable(json.imports.map(toShown)),
          ...json.imports.flatMap(({ id, stuck }) => (stuck ? [`${id}: ${stuckLine(stuck)}`] : [])),
        ].join("\n"),
      );
      if (json.next) operator.remark(`There are more: --before ${json.next}`);
    },
    show: async (id: string, showLink: boolean) => {
      const json = await call<ShownRemotely>(path(id));
      const link = showLink ? (await call<{ redirect_url: string }>(path(id, "/link"))).redirect_url : null;
      operator.answer({ ...json, ...(link !== null && { redirect_url: link }) }, () => shownText(json, link));
    },
    close: (id: string, as: "cancelled" | "archived") =>
      control(id, as === "cancelled" ? "/cancel" : "/archive", `is ${as}`),
    reissueLink: async (id: string) => {
      const json = await change<{ id: string; redirect_url: string }>(id, "/link");
      operator.answer(json, () => json.redirect_url);
    },
    erase: <T>(id: string) => change<T>(id, "/erase"),
    eraseCustomer: async <T>(name: string, partner: string | null) => {
      const body = { destination_username: name, partner, ...(reason !== undefined && { reason }) };
      return (await call<{ receipts: readonly T[] }>("/erasures", { method: "POST", body })).receipts;
    },
    control,
    undoPreview: async (id: string) => {
      const json = await call<{ looked: boolean; streams: readonly Record<string, unknown>[] }>(
        path(id, "/undo-preview"),
      );
      operator.answer(json, () => JSON.stringify({ looked: json.looked, streams: json.streams }, null, 2));
    },
  };
};

export type ImportClient = NonNullable<Awaited<ReturnType<typeof importClient>>>;

const needClient = async (operator: Operator, reason?: string): Promise<ImportClient> => {
  const client = await importClient(operator, reason);
  if (client) return client;
  throw new CommandError("needs_operator_api", "This command goes through the operator API.", {
    fix: "Set PORTAGE_OPERATOR_URL and run: portage login",
  });
};

/** What a person does for a customer: only with a name, so only through the operator API. */
export const remoteCommands = (imports: Command, operator: Operator): void => {
  const named = (name: string, description: string) =>
    reasonOption(imports.command(name).description(description)).argument("<import>", "Import id");
  const controls = [
    ["pause", "Pause the live run, through the operator API", "pauses"],
    ["resume", "Resume the live run, through the operator API", "goes on"],
    ["stop", "Stop the live run, through the operator API", "stops"],
  ] as const;
  for (const [name, description, done] of controls)
    named(name, description).action(async (id: string, { reason }: { reason?: string }) =>
      (await needClient(operator, reason)).control(id, `/runs/${name}`, done),
    );

  named("run", "Start a run for the customer, through the operator API")
    .argument("<kind>", "sample, full, delta, retry_failed or undo")
    .action(async (id: string, kind: string, { reason }: { reason?: string }) =>
      (await needClient(operator, reason)).control(id, "/runs", `has a run: ${kind}`, { kind }),
    );

  imports
    .command("undo-preview")
    .description("Show what an undo would remove, through the operator API")
    .argument("<import>", "Import id")
    .action(async (id: string) => (await needClient(operator)).undoPreview(id));
};
