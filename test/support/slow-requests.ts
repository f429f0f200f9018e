import { request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiProcess } from "./api-process.ts";
import type { Fixture } from "./fixture.ts";
import type { TestPartner } from "./partners.ts";

const finish = (outgoing: ReturnType<typeof httpRequest>): Promise<number | string> =>
  new Promise((resolve) => {
    outgoing.on("error", (error) => resolve(`${error}`));
    outgoing.on("response", (incoming) => {
      incoming.resume();
      incoming.on("error", (error) => resolve(`${error}`));
      incoming.on("end", () => resolve(incoming.complete ? (incoming.statusCode ?? 0) : "ended early"));
    });
  });

const post = (api: ApiProcess, path: string, partner: TestPartner, headers: Record<string, string> = {}) =>
  httpRequest(`${api.url}${path}`, {
    agent: false,
    method: "POST",
    headers: { authorization: partner.authorization, ...headers },
  });

/** Creates an import; the second half of the body arrives `afterMs` later. Returns the status, or the error. */
export const slowBody = async (api: ApiProcess, partner: TestPartner, afterMs: number) => {
  const body = JSON.stringify({ source_tool: "redmine", reference: "slow" });
  const outgoing = post(api, "/api/v2.1/imports", partner, { "content-length": String(body.length) });
  const status = finish(outgoing);
  outgoing.write(body.slice(0, 10));
  await sleep(afterMs);
  outgoing.end(body.slice(10));
  return status;
};

/** Accepts sponsorship of an import whose row stays locked for `afterMs`. Returns the status, or the error. */
export const slowDatabase = async (
  fixture: Fixture,
  api: ApiProcess,
  partner: TestPartner,
  afterMs: number,
) => {
  const { id } = await fixture.createImport(partner.id);
  const client = await fixture.db.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from imports where id = $1 for update", [id]);
    const outgoing = post(api, `/api/v2.1/imports/${id}/payment/accept`, partner);
    const status = finish(outgoing);
    outgoing.end();
    await sleep(afterMs);
    await client.query("rollback");
    return await status;
  } finally {
    client.release();
  }
};
