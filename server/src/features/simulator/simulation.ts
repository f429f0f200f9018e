import { createHash } from "node:crypto";
import type { Family } from "@portage/contract";
import { type ImportWithWarnings, signInNeeded, warningTexts } from "../imports/index.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Played } from "./play.ts";
import { simulatedSummary } from "./simulated-summary.ts";

/** A simulated import: it moves no data, and looks like an import from outside. */
export interface Simulation extends Played {
  readonly id: string;
  readonly partnerId: string;
  readonly sourceTool: string;
  readonly destinationTool: string;
  readonly family: Family;
  readonly reference: string | null;
  readonly destinationInstanceUrl: string | null;
  readonly destinationUsername: string | null;
  readonly linkToken: Secret;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
  /** When it was read, by the database's clock. */
  readonly now: Date;
}

/** Represents a simulation as an import in the same state. */
export const toImport = (simulation: Simulation): ImportWithWarnings => {
  const { scenario: _, payer: __, turn: ___, turnAt: ____, runSince: _____, ...rest } = simulation;
  const { waits, now, ...plain } = rest;
  const { items, people, findings } = simulatedSummary(simulation, simulation.family, now);
  return {
    ...plain,
    linkMark: createHash("sha256").update(plain.id).digest("hex"),
    counted: { items, people },
    findings,
    warnings: waits
      ? [
          {
            code: "action_required",
            message: warningTexts.action_required,
            stream: signInNeeded("source"),
            count: 1,
          },
        ]
      : [],
  };
};
