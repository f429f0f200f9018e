import { familyStreams } from "@portage/connector-kit";
import type { StandInProcess } from "../support/stand-in-process.ts";
import type { Compared } from "../tools/stand-in/compare.ts";
import type { StandInControl } from "../tools/stand-in/control-client.ts";
import type { FaultKind, Faults } from "../tools/stand-in/options.ts";
import type { Storm } from "../tools/stand-in/weather.ts";

/** The part of a tool that the pace controls. */
export interface Paced {
  /** How many copies the tool holds. */
  written(): Promise<number>;
  /** The latency of each answer. */
  setLatency(ms: number): Promise<unknown>;
}

/** The part of a tool that the comparison reads. */
export interface Comparable {
  /** The streams that are copied into it. */
  readonly streams: readonly string[];
  /** Of these, those whose records come with their parents: one that the source lost soon after has a copy, but is no item. */
  readonly parts?: readonly string[];
  /** Compares source and destination by the tool's own data. `before`: see `compareStream`. */
  compare(before: number | null): Promise<Readonly<Record<string, Compared>>>;
}

/** The subject of each mail, as far as the tool records it. */
export interface Mails {
  readonly toOthers: readonly string[];
  /** To the account that the import writes with. */
  readonly toItself: readonly string[];
}

/** The destination: its fault injection and its own counters. */
export interface ChaosDestination extends Paced, Comparable {
  readonly tool: string;
  /** In the format of OUTBOUND_ALLOW. */
  readonly host: string;
  /** Where else it has files. */
  readonly moreHosts?: readonly string[];
  /** The streams whose originals change during the proof; by default tickets, comments, articles and contacts. */
  readonly changing?: readonly string[];
  /** Faults that happen at a low rate all the time. */
  readonly ambient: Partial<Faults>;
  /** Faults that this destination does not support. */
  readonly immune: readonly FaultKind[];
  readonly times: {
    readonly leaseMs: number;
    readonly writeMs: number;
    /** Longer than an attempt may hold a batch, so that a frozen worker wakes up as a zombie. */
    readonly frozenMs: { readonly least: number; readonly most: number };
    /** How long a burst waits for a request that it can hit. */
    readonly longestBurstMs: number;
    readonly stallMs: number;
  };
  /** Environment of the API and the workers. */
  readonly env: Readonly<Record<string, string>>;
  setFaults(faults: Partial<Faults>): Promise<unknown>;
  happened(): Promise<Partial<Record<FaultKind | "storm", number>>>;
  storm(storm: Storm): Promise<unknown>;
  /** Requests that the tool refused with 401. */
  unauthorized(): Promise<number>;
  /** Writes that the tool has answered and not applied yet. */
  lateWrites(): Promise<number>;
  mails(): Promise<Mails>;
  /** What the import did that the tool's vendor does not allow. */
  broken?(): readonly string[];
  /** The settings that a customer enters to connect, with new credentials that work. */
  newSettings(): Promise<object>;
  /** Expires all earlier credentials. */
  expire(): Promise<unknown>;
}

/** The maximum delay of a write's effect, and the lag of `find`: the connector gets the same values. */
export const standInGrace = { lateWriteMs: 3_500, findLagMs: 300 };

/** People are matched, not copied. */
const copied = familyStreams.helpdesk.filter(({ kind }) => kind !== "people").map(({ name }) => name);

export const pacedStandIn = (control: StandInControl): Paced => ({
  written: async () => (await control.stats()).written,
  setLatency: (latencyMs) => control.setWeather({ latencyMs }),
});

export const comparableStandIn = (control: StandInControl): Comparable => ({
  streams: copied,
  compare: control.compare,
});

/** A stand-in as destination; the source may be the same one. */
export const standInDestination = async (
  name: string,
  { control, host, url }: StandInProcess,
): Promise<ChaosDestination> => {
  // A separate account: faults of the source's account must not affect this one.
  const { account } = await control.newAccount();
  return {
    ...pacedStandIn(control),
    ...comparableStandIn(control),
    tool: name,
    host,
    ambient: {
      readError: 0.005,
      readReset: 0.005,
      errorAfterWrite: 0.005,
      resetAfterWrite: 0.005,
      partial: 0.005,
      lateEffect: 0.005,
      lateEffectMs: 1_500,
    },
    immune: [],
    // Short leases, so that the engine soon replaces a lost worker: the proof must not take hours.
    times: {
      leaseMs: 8_000,
      writeMs: 4_000,
      frozenMs: { least: 7_000, most: 18_000 },
      longestBurstMs: 20_000,
      stallMs: 600_000,
    },
    env: {
      STAND_IN_LATE_WRITE_MS: String(standInGrace.lateWriteMs),
      STAND_IN_FIND_LAG_MS: String(standInGrace.findLagMs),
    },
    setFaults: (faults) => control.setWeather({ faults }),
    happened: async () => (await control.stats()).happened,
    storm: control.storm,
    unauthorized: async () => (await control.stats()).unauthorized,
    lateWrites: async () => (await control.stats()).lateWrites,
    mails: async () => ({
      toOthers: Array.from({ length: (await control.stats()).mails }, () => "a mail"),
      toItself: [],
    }),
    newSettings: async () => ({ instanceUrl: url, token: (await control.newToken(account)).token }),
    expire: () => control.expire(account),
  };
};
