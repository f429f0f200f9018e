import type { Database, Transaction } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { OpenSide } from "../connections/index.ts";
import {
  findAnyImport,
  findSchedule,
  isPaid,
  moveImport,
  preflightFailed,
  type PreflightWarning,
  replacePreflightWarnings,
  signInNeeded,
} from "../imports/index.ts";
import { waitingForMs } from "../outbox/index.ts";
import type { ChunkToSend } from "../runs/index.ts";
import type { RunPreflight } from "./create-preflight.ts";
import type { Finding } from "./finding.ts";
import type { Preflight } from "./preflight.ts";
import { createUnderWay } from "./under-way.ts";

export interface StartAfterPreflightNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly openSide: OpenSide;
  readonly preflight: RunPreflight;
  /** How long a call waits, as the caller holds a transaction: a slower pre-flight continues for the next call. */
  readonly patienceMs?: number;
  /** After this long of failures that should have passed, the import requests attention. */
  readonly giveUpAfterMs?: number;
}

interface ToStart {
  readonly importId: string;
  /** At a time that the customer chose and can take back until it starts. */
  readonly planned: boolean;
}

/** Neither started nor refused: the caller retries later. */
export class PreflightPutOff extends Error {
  override readonly name = "PreflightPutOff";
  readonly code: "under_way" | "unreachable" | "changed_meanwhile";

  constructor(code: PreflightPutOff["code"]) {
    super(`The pre-flight must be retried: ${code}.`);
    this.code = code;
  }
}

const toWarning = ({ code, stream, side, message, fix, count }: Finding): PreflightWarning => ({
  code,
  about: stream ?? side ?? "",
  count,
  message: fix === null ? message : `${message} ${fix}`,
});

/** Deduplicates by code and subject: the first finding wins. */
const toWarnings = (findings: readonly Finding[]): readonly PreflightWarning[] => [
  ...new Map(
    findings
      .map(toWarning)
      .toReversed()
      .map((each) => [`${each.code}/${each.about}`, each]),
  ).values(),
];

/** The subject of the warning `action_required`: connecting that side again clears it. */
const reasonOf = ({ code, side }: Finding): string =>
  side !== null && code !== "unreachable" && code !== "cannot_read" && code !== "no_room"
    ? signInNeeded(side)
    : preflightFailed;

/** Starts the full run of an import that starts by itself, or at a planned time, if no finding blocks it; else requests attention, once. */
export const createStartAfterPreflight = (needs: StartAfterPreflightNeeds) => {
  const { db, sealer, openSide, preflight, patienceMs = 2_000, giveUpAfterMs = 600_000 } = needs;
  const underWay = createUnderWay(preflight);
  const system = { partnerId: null, actor: { kind: "system" } } as const;

  const isWaiting = async ({ importId, planned }: ToStart): Promise<boolean> => {
    const state = (await findAnyImport(db, sealer, importId))?.state;
    if (state?.closed !== null || state.status !== "in_preparation" || !isPaid(state)) return false;
    return mayStartNow(db.sql, { importId, planned });
  };

  /**
   * A planned start: the customer has not taken it back; a plan that was carried out is gone. One by itself: the customer planned
   * no other time, and a plan that was missed waits for the customer.
   */
  const mayStartNow = async (on: Database["sql"] | Transaction, { importId, planned }: ToStart) => {
    const plan = await findSchedule(on, importId);
    return planned ? plan?.state === "due" : plan === undefined;
  };

  /** Identifies the current sign-ins: findings made with them do not apply to others. */
  const signIns = async (importId: string): Promise<string> => {
    const sides = await Promise.all(
      (["source", "destination"] as const).map((side) => openSide({ importId, side, runId: null })),
    );
    return JSON.stringify(sides.map((side) => (side.kind === "open" ? side.revision : null)));
  };

  const start = async ({ importId, planned }: ToStart, { findings }: Preflight) => {
    const moved = await moveImport(
      db,
      { type: "full_started" },
      {
        importId,
        ...system,
        alongside: async (tx) => {
          if (!(await mayStartNow(tx, { importId, planned }))) return false;
          await replacePreflightWarnings(tx, importId, toWarnings(findings));
          return true;
        },
      },
    );
    // The import was closed, moved on or disconnected meanwhile: the next attempt sees which.
    if (moved.kind === "refused") throw new PreflightPutOff("changed_meanwhile");
  };

  const tellPerson = async (wanted: ToStart, findings: readonly Finding[], reasons: readonly string[]) => {
    const { importId } = wanted;
    for (const reason of reasons) {
      const moved = await moveImport(
        db,
        { type: "attention_required", reason },
        {
          importId,
          ...system,
          alongside: async (tx, { status }) => {
            if (status !== "in_preparation") return false;
            // The first reason ends the plan, and the others follow it.
            if (reason !== reasons[0]) return true;
            if (!(await mayStartNow(tx, wanted))) return false;
            await replacePreflightWarnings(tx, importId, toWarnings(findings));
            return true;
          },
        },
      );
      // Taken back meanwhile, or changed.
      if (moved.kind !== "moved") return;
    }
  };

  const isPatienceOver = async (importId: string) =>
    ((await waitingForMs(db, importId, "start_after_preflight")) ?? giveUpAfterMs) >= giveUpAfterMs;

  return async (wanted: ToStart): Promise<readonly ChunkToSend[]> => {
    const { importId } = wanted;
    if (!(await isWaiting(wanted))) return [];
    const examined = await underWay.result(importId, patienceMs, () => signIns(importId));
    if (examined.kind === "not_yet") throw new PreflightPutOff("under_way");
    if (examined.kind === "failed") {
      if (!(await isPatienceOver(importId))) throw examined.error;
      await tellPerson(wanted, [], [preflightFailed]);
      return [];
    }
    const { preflight: found, about } = examined;
    const blocking = found.findings.filter(({ level }) => level === "blocks");
    if (blocking.length === 0) {
      await start(wanted, found);
      return [];
    }
    if (about !== (await signIns(importId))) throw new PreflightPutOff("changed_meanwhile");
    const mayPass = blocking.every(({ code }) => code === "unreachable");
    if (mayPass && !(await isPatienceOver(importId))) throw new PreflightPutOff("unreachable");
    await tellPerson(wanted, found.findings, [...new Set(blocking.map(reasonOf))]);
    return [];
  };
};
