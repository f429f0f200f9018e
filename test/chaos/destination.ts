import { familyStreams } from "@portage/connector-kit";
import type { StandInProcess } from "../support/stand-in-process.ts";
import type { Compared } from "../tools/stand-in/compare.ts";
import type { StandInControl } from "../tools/stand-in/control-client.ts";
import type { FaultKind, Faults } from "../tools/stand-in/options.ts";
import type { Storm } from "../tools/stand-in/weather.ts";

/** What a pace needs of a tool. */
export interface Paced {
  /** How many copies are in it. */
  written(): Promise<number>;
  /** How long it thinks before it answers. */
  setLatency(ms: number): Promise<unknown>;
}

/** What a judge needs of a tool. */
export interface Comparable {
  /** The streams that are copied into it. */
  readonly streams: readonly string[];
  /** Source and destination side by side, by the tool's own word. `before`: see `compareStream`. */
  compare(before: number | null): Promise<Readonly<Record<string, Compared>>>;
}

/** What each mail was about, as far as the tool tells. */
export interface Mails {
  readonly toOthers: readonly string[];
  /** To the account that everything is written with. */
  readonly toItself: readonly string[];
}

/** Where the copies go: the levers behind it, and what it says of itself. */
export interface ChaosDestination extends Paced, Comparable {
  readonly tool: string;
  /** As OUTBOUND_ALLOW takes it. */
  readonly host: string;
  /** A little of this goes wrong all the time. */
  readonly ambient: Partial<Faults>;
  /** What can't go wrong with it. */
  readonly immune: readonly FaultKind[];
  readonly times: {
    readonly leaseMs: number;
    readonly writeMs: number;
    /** Longer than an attempt may hold a batch, so that a frozen worker wakes as a zombie. */
    readonly frozenMs: { readonly least: number; readonly most: number };
    /** How long a fault waits for a request that it can hit. */
    readonly longestBurstMs: number;
    readonly stallMs: number;
  };
  /** For API and workers alike. */
  readonly env: Readonly<Record<string, string>>;
  setFaults(faults: Partial<Faults>): Promise<unknown>;
  happened(): Promise<Partial<Record<FaultKind | "storm", number>>>;
  storm(storm: Storm): Promise<unknown>;
  /** Requests that it refused because of who sent them. */
  unauthorized(): Promise<number>;
  /** Writes that were answered and did not take effect yet. */
  lateWrites(): Promise<number>;
  mails(): Promise<Mails>;
  /** What a customer types to connect it, with a sign-in that works from now on. */
  newSettings(): Promise<object>;
  /** The sign-ins until now are refused. */
  expire(): Promise<unknown>;
}

/** How late a write takes effect at most, and how long `find` does not show it: the connector is told the same. */
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

/** A stand-in that copies go to; the source may be the same one. */
export const standInDestination = async (
  name: string,
  { control, host, url }: StandInProcess,
): Promise<ChaosDestination> => {
  // An account of its own: what happens to the source's must not be felt here.
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
    // A worker that is gone is missed soon: the proof has no hours.
    times: {
      leaseMs: 8_000,
      writeMs: 4_000,
      frozenMs: { least: 7_000, most: 18_000 },
      longestBurstMs: 20_000,
      stallMs: 300_000,
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
