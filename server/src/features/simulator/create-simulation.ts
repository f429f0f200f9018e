import type { NewImportErrors } from "@portage/contract";
import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import { isKeptRequest, keepRequest } from "../idempotency/index.ts";
import { newImportRefused, newImportState, newLinkToken, validateNewImport } from "../imports/index.ts";
import type { Partner } from "../partners/index.ts";
import type { ToolRegistry } from "../tools/index.ts";
import { begin } from "./play.ts";
import type { Simulation } from "./simulation.ts";
import {
  countLive,
  findByKey,
  insertSimulation,
  lockPartner,
  removeBeyond,
  simulationRequestContext,
} from "./store.ts";
import { scenarioOf } from "./walks.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly registry: ToolRegistry;
}

/** The most simulations of a partner that run at a time. */
export const maxLive = 20;
/** The most simulations of a partner that are kept, ended ones included. */
export const maxKept = 200;

export type SimulationCreated =
  | { readonly kind: "created"; readonly id: string; readonly linkToken: Secret }
  | { readonly kind: "invalid"; readonly errors: NewImportErrors }
  | { readonly kind: "too_many" }
  | { readonly kind: "other_request" };

export interface NewSimulation {
  readonly body: object;
  /** Null: a repeated request creates another simulation. */
  readonly once: { readonly key: string; readonly request: string } | null;
}

/** The token that counts as refused by the destination, as in the sandbox: no destination is called. */
const refusedToken = "invalid";

/** Creates a simulation by the rules for an import; writes only to the simulator's own tables. */
export const createSimulation =
  ({ db, sealer, registry }: Needs) =>
  async (partner: Partner, { body, once }: NewSimulation): Promise<SimulationCreated> => {
    const validated = validateNewImport(registry, partner, body);
    if (validated.kind === "invalid") return validated;
    const { startFull, destinationToken, ...wanted } = validated.value;
    if (destinationToken?.reveal() === refusedToken)
      return newImportRefused({ destination: ["The destination refused this token."] });
    const ofRow = (id: string, request: string) => ({
      about: `simulator:${partner.id}:${once?.key}`,
      sealedAbout: simulationRequestContext(id),
      version: id,
      request,
    });
    return db.sql.transaction().execute(async (tx): Promise<SimulationCreated> => {
      const at = await lockPartner(tx, partner.id);
      const known = once && (await findByKey(tx, sealer, partner.id, once.key));
      if (known)
        return isKeptRequest(sealer, ofRow(known.id, once.request), known)
          ? { kind: "created", id: known.id, linkToken: known.linkToken }
          : { kind: "other_request" };
      if ((await countLive(tx, partner.id)) >= maxLive) return { kind: "too_many" };
      await removeBeyond(tx, partner.id, maxKept - 1);
      const made: Simulation = begin(
        {
          ...wanted,
          id: newId("sim"),
          linkToken: newLinkToken(),
          partnerId: partner.id,
          destinationTool: partner.destinationTool,
          scenario: scenarioOf(wanted.reference),
          payer: partner.payer,
          state: newImportState(startFull, partner.payer),
          waits: false,
          turn: 0,
          turnAt: null,
          runSince: null,
          activeAt: at,
          createdAt: at,
          closedAt: null,
          now: at,
        },
        at,
      );
      await insertSimulation(
        tx,
        sealer,
        made,
        once && { key: once.key, ...keepRequest(sealer, ofRow(made.id, once.request)) },
      );
      return { kind: "created", id: made.id, linkToken: made.linkToken };
    });
  };
