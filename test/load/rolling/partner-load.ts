import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Database } from "../../../server/src/platform/db.ts";
import { createPartners, type TestPartner } from "../../support/partners.ts";
import { type Proof } from "../../support/proof.ts";
import { histogram } from "../../support/statistics.ts";

const clients = 6;
const partnerCount = 120;
const pauseMs = 40;
/** From an answer to the partner's next request: nine of them in any second, where ten are allowed. */
const partnerPauseMs = 120;
const prefix = "load ";

interface Created {
  readonly id: string;
  readonly partner: TestPartner;
  readonly key: string;
  readonly reference: string;
}

export interface PartnerLoad {
  requests(): number;
  /** Ends it, and states what became of its requests and of the imports that it created. */
  end(): Promise<Readonly<Record<string, unknown>>>;
}

/** Partners that create imports, read them and repeat creations with the same idempotency key, and never retry. */
export const startPartnerLoad = async (proof: Proof, db: Database, url: string): Promise<PartnerLoad> => {
  const partners = await createPartners(db, partnerCount);
  const agent = new Agent({ connections: clients, pipelining: 1, headersTimeout: 60_000 });
  proof.afterwards(() => agent.destroy());
  const created: Created[] = [];
  const outcomes: string[] = [];
  let isLoading = true;
  let turn = 0;
  let number = 0;

  const turns = new Map<TestPartner, Promise<unknown>>();
  /** One request of a partner at a time: the load keeps to the limit that partners have. */
  const inTurn = <T>(partner: TestPartner, work: () => Promise<T>): Promise<T> => {
    const done = (turns.get(partner) ?? Promise.resolve()).then(work);
    turns.set(
      partner,
      done.catch(() => {}).then(() => sleep(partnerPauseMs)),
    );
    return done;
  };
  const send = (method: "GET" | "POST", path: string, partner: TestPartner, more: object = {}) =>
    inTurn(partner, async () => {
      const answer = await request(`${url}/api/v2.1${path}`, { dispatcher: agent, method, ...more });
      return { status: answer.statusCode, text: await answer.body.text() };
    });
  const create = ({ partner, key, reference }: Omit<Created, "id">) =>
    send("POST", "/imports", partner, {
      headers: {
        authorization: partner.authorization,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify({ source_tool: "request-tracker", reference }),
    });
  const idIn = (text: string) => (JSON.parse(text) as { id: string }).id;

  const act = async (mine: number): Promise<string> => {
    const known = created[(mine * 7_919) % Math.max(1, created.length)];
    if (!known || mine % 10 === 0) {
      number += 1;
      const wanted = {
        partner: partners[number % partners.length] as TestPartner,
        key: `key-${number}`,
        reference: `${prefix}${number}`,
      };
      const { status, text } = await create(wanted);
      if (status !== 201) return `create ${status} ${text.slice(0, 40)}`;
      created.push({ ...wanted, id: idIn(text) });
      return "create 201";
    }
    if (mine % 10 === 1) {
      const { status, text } = await create(known);
      if (status !== 201) return `repeat ${status} ${text.slice(0, 40)}`;
      return idIn(text) === known.id ? "repeat 201" : "repeat with another id";
    }
    const { status, text } = await send("GET", `/imports/${known.id}`, known.partner, {
      headers: { authorization: known.partner.authorization },
    });
    return status === 200 ? "read 200" : `read ${status} ${text.slice(0, 40)}`;
  };
  const client = async () => {
    while (isLoading) {
      turn += 1;
      outcomes.push(await act(turn).catch((error: Error & { code?: string }) => error.code ?? error.message));
      await sleep(pauseMs);
    }
  };
  const loading = Promise.all(Array.from({ length: clients }, client));

  return {
    requests: () => outcomes.length,
    end: async () => {
      isLoading = false;
      await loading;
      const seen = histogram(outcomes);
      const failed = outcomes.filter((outcome) => !/^(create 201|repeat 201|read 200)$/.test(outcome)).length;
      proof.holds("every request got its answer, and the right one", failed === 0, seen);
      const { rows } = await db.pool.query<{ id: string; reference: string }>(
        "select id, reference from imports where reference like $1",
        [`${prefix}%`],
      );
      const stored = new Map(rows.map(({ id, reference }) => [reference, id]));
      const lost = created.filter(({ id, reference }) => stored.get(reference) !== id).length;
      const doubled = rows.length - stored.size;
      const unanswered = stored.size - created.length;
      proof.holds(
        "every created import is there once",
        created.length > 0 && lost === 0 && doubled === 0 && unanswered === 0,
        { created: created.length, lost, doubled, unanswered },
      );
      return {
        requests: outcomes.length,
        failed,
        imports: created.length,
        lost_imports: lost,
        doubled_imports: doubled,
      };
    },
  };
};
