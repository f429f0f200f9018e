import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Database } from "../../../server/src/platform/db.ts";
import { createPartners, type TestPartner } from "../../support/partners.ts";
import { type Proof } from "../../support/proof.ts";
import { histogram } from "../../support/statistics.ts";
import { createEventReader, type EventReader } from "./event-reader.ts";

const clients = 6;
const partnerCount = 40;
const pauseMs = 100;
const prefix = "traffic ";

interface Creation {
  readonly partner: TestPartner;
  readonly key: string;
  readonly reference: string;
}

interface Acknowledged extends Creation {
  readonly id: string;
  readonly at: number;
}

interface Answered {
  readonly startedAt: number;
  readonly doneAt: number;
  readonly outcome: string;
}

export interface PartnerTraffic {
  readonly partners: readonly TestPartner[];
  /** Reads the first partner's events all the time. */
  readonly liveReader: EventReader;
  /** A reader of the same partner that reads only on demand. */
  newReader(): EventReader;
  /** Waits for a request that began after this moment (Date.now()) and succeeded. */
  untilServed(since: number): Promise<number>;
  /** Imports that were acknowledged and are gone: partners must create them again. They are left alone from now on. */
  forgetLost(): Promise<readonly { readonly id: string; readonly at: number }[]>;
  /** The longest time without an answer that succeeds, in milliseconds, between two moments. */
  longestGap(from: number, to: number): number;
  /** Requests so far that got no success, of all. */
  count(): { readonly requests: number; readonly failed: number };
  /** Ends it, and states what became of its requests and of the imports that it created. */
  end(): Promise<Readonly<Record<string, unknown>>>;
}

/** Whether an answer says that it was not possible now, and when to try again. */
const isLater = (status: number, text: string, retryAfter: unknown) => {
  const code = { 429: "rate_limited", 503: "unavailable" }[status];
  try {
    const { error } = JSON.parse(text) as { error: Record<string, unknown> };
    return code !== undefined && error["code"] === code && Number(retryAfter) >= 1;
  } catch {
    return false;
  }
};

/**
 * Partners that create, read and cancel imports and read events while the database comes and goes. A creation that failed is
 * repeated with its idempotency key until it is acknowledged.
 */
export const startPartnerTraffic = async (
  proof: Proof,
  db: Database,
  url: string,
): Promise<PartnerTraffic> => {
  const partners = await createPartners(db, partnerCount);
  const agent = new Agent({ connections: clients, pipelining: 1, headersTimeout: 60_000 });
  proof.afterwards(() => agent.destroy());
  const answers: Answered[] = [];
  const waiting: Creation[] = [];
  let known: Acknowledged[] = [];
  /** Of these, what is not cancelled. */
  let open: Acknowledged[] = [];
  let forgotten = 0;
  let isOn = true;
  let turn = 0;
  let number = 0;

  const send = async (
    method: "GET" | "POST",
    path: string,
    { partner, key }: Partial<Creation>,
    body?: object,
  ) => {
    const answer = await request(`${url}/api/v2.1${path}`, {
      dispatcher: agent,
      method,
      headers: {
        authorization: partner?.authorization ?? "",
        ...(body && { "content-type": "application/json" }),
        ...(body && key && { "idempotency-key": key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const { statusCode: status, headers } = answer;
    const isUsual = isLater(status, text, headers["retry-after"]);
    return { status, text, what: isUsual ? String(status) : `${status} ${text.slice(0, 60)}` };
  };
  const newCreation = (): Creation => {
    number += 1;
    // The first one has more: its events are read.
    const partner = partners[number % 12 === 0 ? 0 : number % partners.length] as TestPartner;
    return { partner, key: `traffic-${number}`, reference: `${prefix}${number}` };
  };
  const create = async (): Promise<string> => {
    const creation = waiting.shift() ?? newCreation();
    const body = { source_tool: "request-tracker", reference: creation.reference };
    const answer = await send("POST", "/imports", creation, body).catch((error: unknown) => {
      waiting.push(creation);
      throw error;
    });
    if (answer.status !== 201) {
      waiting.push(creation);
      return `create ${answer.what}`;
    }
    const { id } = JSON.parse(answer.text) as { id: string };
    const acknowledged = { ...creation, id, at: Date.now() };
    known.push(acknowledged);
    open.push(acknowledged);
    return "create 201";
  };
  const act = async (mine: number): Promise<string> => {
    const at = (mine * 7_919) % Math.max(1, open.length);
    const chosen = open[at];
    if (!chosen || mine % 5 === 0) return create();
    if (mine % 15 === 1) {
      open.splice(at, 1);
      const { status, what } = await send("POST", `/imports/${chosen.id}/cancel`, chosen);
      if (status !== 200 && status !== 404) open.push(chosen);
      return status === 200 ? "cancel 200" : status === 404 ? "404" : `cancel ${what}`;
    }
    const { status, what } = await send("GET", `/imports/${chosen.id}`, chosen);
    return status === 200 ? "read 200" : status === 404 ? "404" : `read ${what}`;
  };
  const client = async () => {
    while (isOn) {
      turn += 1;
      const startedAt = Date.now();
      const outcome = await act(turn).catch(
        (error: Error & { code?: string }) => error.code ?? error.message,
      );
      answers.push({ startedAt, doneAt: Date.now(), outcome });
      await sleep(pauseMs);
    }
  };
  const liveReader = createEventReader(url, partners[0] as TestPartner);
  const readLive = async () => {
    while (isOn) {
      await liveReader.readOn().catch(() => {});
      await sleep(500);
    }
  };
  const loading = Promise.all([...Array.from({ length: clients }, client), readLive()]);
  // 404: of an import that the database has lost, or that another request cancels at the same time.
  const isServed = ({ outcome }: Answered) => /^((create|cancel|read) 20\d|404)$/.test(outcome);

  return {
    partners,
    liveReader,
    newReader: () => createEventReader(url, partners[0] as TestPartner),
    async untilServed(since) {
      for (;;) {
        const found = answers.find((each) => each.startedAt > since && isServed(each));
        if (found) return found.doneAt;
        await sleep(20);
      }
    },
    async forgetLost() {
      // What is acknowledged while the answer is on its way was not asked for.
      const asked = [...known];
      const { rows } = await db.pool.query<{ id: string; status: string }>(
        "select id, status from imports where id = any($1)",
        [asked.map(({ id }) => id)],
      );
      const statuses = new Map(rows.map(({ id, status }) => [id, status]));
      const lost = asked.filter(({ id }) => !statuses.has(id));
      known = known.filter((each) => !lost.includes(each));
      // Cancellations may be lost as well.
      open = asked.filter(({ id }) => statuses.get(id) === "collecting_credentials");
      forgotten += lost.length;
      return lost;
    },
    longestGap(from, to) {
      const times = answers
        .filter((each) => isServed(each) && each.doneAt >= from && each.doneAt <= to)
        .map(({ doneAt }) => doneAt);
      const all = [from, ...times.toSorted((a, b) => a - b), to];
      return Math.max(...all.slice(1).map((at, index) => at - (all[index] ?? at)));
    },
    count: () => ({ requests: answers.length, failed: answers.filter((each) => !isServed(each)).length }),
    async end() {
      for (const giveUpAt = Date.now() + 60_000; waiting.length > 0 && Date.now() < giveUpAt; )
        await sleep(100);
      isOn = false;
      await loading;
      const outcomes = histogram(answers.map(({ outcome }) => outcome));
      const failed = answers.filter((each) => !isServed(each));
      const isRight = (outcome: string) => /^(create|cancel|read) (429|503)$/.test(outcome);
      proof.holds(
        "a request got its answer, or 503 or 429 in JSON with Retry-After",
        failed.every(({ outcome }) => isRight(outcome)),
        outcomes,
      );
      const { rows } = await db.pool.query<{ id: string; reference: string }>(
        "select id, reference from imports where reference like $1",
        [`${prefix}%`],
      );
      const stored = new Map(rows.map(({ id, reference }) => [reference, id]));
      const lost = known.filter(({ id, reference }) => stored.get(reference) !== id).length;
      const doubled = rows.length - stored.size;
      proof.holds(
        "every import that was acknowledged since the last loss is there, once",
        lost + doubled === 0,
        {
          acknowledged: known.length,
          lost,
          doubled,
        },
      );
      return {
        requests: answers.length,
        requests_failed: failed.length,
        imports_acknowledged: known.length + forgotten,
        imports_lost: forgotten + lost,
      };
    },
  };
};
