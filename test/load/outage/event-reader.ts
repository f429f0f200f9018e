import { setTimeout as sleep } from "node:timers/promises";
import type { TestPartner } from "../../support/partners.ts";

interface EventsPage {
  readonly status: number;
  readonly ids: readonly string[];
}

const readPage = async (
  url: string,
  { authorization }: Pick<TestPartner, "authorization">,
  after: string | null,
): Promise<EventsPage> => {
  const query = after === null ? "" : `?after=${after}`;
  const answer = await fetch(`${url}/api/v2.1/events${query}`, { headers: { authorization } });
  const body: unknown = await answer.json();
  const ids = answer.status === 200 ? (body as { event_id: string }[]).map(({ event_id }) => event_id) : [];
  return { status: answer.status, ids };
};

/** A partner that reads GET /events with a cursor, and waits while the service is away. */
export interface EventReader {
  /** Every event that it has read, in order, since it began or had to begin again. */
  readonly seen: readonly string[];
  /** How often the event of its cursor was gone, so that it began again. */
  readonly restarts: number;
  /** Reads on from its cursor to the last event. */
  readOn(): Promise<void>;
}

export const createEventReader = (url: string, partner: Pick<TestPartner, "authorization">): EventReader => {
  let seen: string[] = [];
  let restarts = 0;
  return {
    get seen() {
      return seen;
    },
    get restarts() {
      return restarts;
    },
    async readOn() {
      for (;;) {
        const page = await readPage(url, partner, seen.at(-1) ?? null);
        if (page.status === 200) {
          if (page.ids.length === 0) return;
          seen.push(...page.ids);
        } else if (page.status === 422) {
          seen = [];
          restarts += 1;
        } else await sleep(500);
      }
    },
  };
};

/** Whether two readers read the same events in the same order, each of them once. */
export const readSame = ({ seen: a }: EventReader, { seen: b }: EventReader): boolean =>
  new Set(a).size === a.length && a.length === b.length && a.every((id, index) => b[index] === id);
