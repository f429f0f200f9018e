import type { EventType } from "@portage/contract";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import type { Moment } from "../../platform/moment.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import { findEvents, loadEventBodies } from "../events/index.ts";
import { createLoadImportSummaries } from "../runs/index.ts";
import { createLoadSimulatedSummaries, findSimulatedEvents } from "../simulator/index.ts";
import type { Message } from "./send-message.ts";
import { findPayloads } from "./store-payloads.ts";
import { openSecrets } from "./store-targets.ts";
import type { TakenRow, TargetRow, TakenDeliveries } from "./store-take.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Log;
}

/** A taken delivery and its message; null: the message can't be built. */
export interface Taken {
  readonly row: TakenRow;
  readonly message: Message | null;
  readonly target: TargetRow | undefined;
  /** When its lease began, or earlier. */
  readonly takenAt: Moment;
}

type Body = Pick<Message, "bodyAt" | "token">;

const ofPayload = (id: string, type: EventType, payload: object): Body => ({
  bodyAt: (timestamp) => ({ event_id: id, type, ...payload, timestamp }),
  token: null,
});

export const createLoadMessages = ({ db, sealer, log }: Needs) => {
  const imports = { find: findEvents, loadSummaries: createLoadImportSummaries(db) };
  const simulations = { find: findSimulatedEvents, loadSummaries: createLoadSimulatedSummaries(db, sealer) };

  const read = async (
    { find, loadSummaries }: typeof imports,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Body>> => {
    const events = await loadEventBodies(await find(db, sealer, ids), loadSummaries);
    return new Map(events.map(({ event, bodyAt }) => [event.id, { bodyAt, token: event.linkToken }]));
  };

  /** Reads one by one: an event whose key is gone must not block the others. */
  const oneByOne = async (of: typeof imports, ids: readonly string[]) => {
    const found = new Map<string, Body>();
    for (const id of ids)
      await read(of, [id]).then(
        (bodies) => bodies.forEach((body, key) => found.set(key, body)),
        (error: unknown) => log.error({ err: error, event: id }, "an event can't be read"),
      );
    return found;
  };

  const bodiesOf = async (taken: readonly TakenRow[]): Promise<ReadonlyMap<string, Body>> => {
    const idsOf = (isSo: (row: TakenRow) => boolean) => taken.filter(isSo).map(({ eventId }) => eventId);
    const bodies = new Map<string, Body>();
    for (const [of, ids] of [
      [imports, idsOf(({ importId }) => importId !== null)],
      [simulations, idsOf(({ simulationId }) => simulationId !== null)],
    ] as const)
      if (ids.length > 0)
        for (const [id, body] of await read(of, ids).catch(() => oneByOne(of, ids))) bodies.set(id, body);
    const alone = idsOf(({ importId, simulationId }) => importId === null && simulationId === null);
    if (alone.length > 0)
      for (const { id, type, payload } of await findPayloads(db, alone))
        bodies.set(id, ofPayload(id, type, payload));
    return bodies;
  };

  const secretsOf = (target: TargetRow): readonly [Secret, ...Secret[]] | null => {
    try {
      return openSecrets(sealer, target);
    } catch (error) {
      log.error({ err: error, partner: target.partnerId }, "a webhook secret can't be opened");
      return null;
    }
  };

  return async ({ targets, taken }: TakenDeliveries, takenAt: Moment): Promise<readonly Taken[]> => {
    if (taken.length === 0) return [];
    const used = new Set(taken.map(({ partnerId }) => partnerId));
    const known = new Map(
      targets.flatMap((target) =>
        used.has(target.partnerId) ? [[target.partnerId, { target, secrets: secretsOf(target) }]] : [],
      ),
    );
    const bodies = await bodiesOf(taken);
    return taken.map((row) => {
      const { target, secrets } = known.get(row.partnerId) ?? {};
      const body = bodies.get(row.eventId);
      return {
        row,
        target,
        takenAt,
        message:
          target && secrets && body ? { eventId: row.eventId, url: target.url, secrets, ...body } : null,
      };
    });
  };
};
