import type { FamilyRecord } from "@portage/connector-kit";
import { noteSecret } from "../../support/leaked-secrets.ts";
import type { Credentials } from "./access.ts";
import type { Compared } from "./compare.ts";
import type { Weather } from "./options.ts";
import type { Changed, Changes, Churn } from "./source-changes.ts";
import type { StandIn } from "./stand-in.ts";
import type { Storm } from "./weather.ts";
import type { WrittenRow } from "./written-rows.ts";

export type StandInStats = ReturnType<StandIn["stats"]> & { readonly changes: number };

/** A row as the control port returns it: of a file only length and hash. */
export type DumpedRow = Omit<WrittenRow, "file"> & {
  readonly file: { readonly bytes: number; readonly sha256: string } | null;
};

/** A row of the source, for comparisons with another tool. */
export interface ToldRow {
  readonly id: string;
  readonly seenSince: number;
  readonly tags: readonly string[];
}

/** A tool's tokens have no form by which a log could be searched for them. */
const noted = (credentials: Credentials): Credentials => {
  noteSecret("a tool's token", credentials.token);
  return credentials;
};

/** Controls a stand-in that runs in another process. */
export const createStandInControl = (url: string) => {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The stand-in answered ${method} ${path} with ${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    stats: () => ask<StandInStats>("GET", "stats"),
    /** Omitted faults stop; omitted quota and latency stay. */
    setWeather: (change: Partial<Weather>) => ask<Weather>("PUT", "weather", change),
    storm: (storm: Storm) => ask<object>("POST", "storm", storm),
    /** Whether it sends messages although callers ask for none. */
    notify: (when: "always" | "as asked") => ask<object>("PUT", "notifications", when),
    newAccount: async () => noted(await ask<Credentials>("POST", "accounts")),
    newToken: async (account: string) => noted(await ask<Credentials>("POST", `accounts/${account}/tokens`)),
    /** Expires its tokens; refresh tokens work. */
    expire: (account: string) => ask<object>("POST", `accounts/${account}/expire`),
    /** Refresh tokens stop working too. */
    revoke: (account: string) => ask<object>("POST", `accounts/${account}/revoke`),
    sourceCounts: () => ask<Record<string, number>>("GET", "source"),
    /** Its current rows. `seenSince`: 0 for those that were there from the start. */
    sourceRows: (stream: string) => ask<readonly ToldRow[]>("GET", `source/${stream}/rows`),
    change: (stream: string, changes: Changes) => ask<Changed>("POST", `source/${stream}/change`, changes),
    updateRows: (stream: string, ids: readonly string[]) =>
      ask<object>("POST", `source/${stream}/update`, ids),
    removeRows: (stream: string, ids: readonly string[]) =>
      ask<object>("POST", `source/${stream}/remove`, ids),
    /** `perSecond: 0` stops it. */
    churn: (churn: Churn) => ask<object>("PUT", "churn", churn),
    compare: (before: number | null = null) =>
      ask<Record<string, Compared>>("GET", before === null ? "compare" : `compare?before=${before}`),
    digest: () => ask<Record<string, string>>("GET", "digest"),
    /** Row by row, so that a million rows need not fit in memory. */
    async *dump(stream: string): AsyncGenerator<DumpedRow> {
      const { body } = await fetch(`${url}/written/${stream}`);
      let held = "";
      for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const lines = (held + text).split("\n");
        held = lines.pop() ?? "";
        for (const line of lines) yield JSON.parse(line) as DumpedRow;
      }
    },
    /** A row that a person created by hand. */
    addByHand: (stream: string, record: FamilyRecord) =>
      ask<{ id: string }>("POST", `written/${stream}`, record),
    editByHand: (stream: string, id: string, change: Partial<FamilyRecord>) =>
      ask<WrittenRow>("PATCH", `written/${stream}/${id}`, change),
    removeByHand: (stream: string, id: string) => ask<object>("DELETE", `written/${stream}/${id}`),
    forget: () => ask<object>("POST", "forget"),
  };
};

export type StandInControl = ReturnType<typeof createStandInControl>;
