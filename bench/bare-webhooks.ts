// The baseline of `npm run bench:webhooks`: a loop over undici that only signs and posts the same messages.
import { signatureHeaders } from "@portage/contract/signing";
import { Pool } from "undici";

export interface BareOrder {
  readonly ports: readonly number[];
  readonly count: number;
  /** Concurrent calls per receiver. */
  readonly each: number;
  readonly body: object;
  readonly secret: string;
}

const post = async (pool: Pool, { body, secret }: BareOrder, number: number) => {
  const timestamp = Date.now();
  const id = `evt_${String(number).padStart(26, "0")}`;
  const content = JSON.stringify({ ...body, event_id: id, timestamp });
  const headers = signatureHeaders({
    secrets: [secret],
    id,
    timestampSeconds: Math.floor(timestamp / 1_000),
    content,
  });
  const answer = await pool.request({
    method: "POST",
    path: "/hook",
    body: content,
    headers: { "content-type": "application/json", ...headers },
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
};

const run = async (order: BareOrder) => {
  let next = 0;
  const pools = order.ports.map((port) => new Pool(`http://127.0.0.1:${port}`, { connections: order.each }));
  const loop = async (pool: Pool) => {
    while (next < order.count) await post(pool, order, next++);
  };
  await Promise.all(pools.flatMap((pool) => Array.from({ length: order.each }, () => loop(pool))));
  await Promise.all(pools.map((pool) => pool.close()));
};

process.on("message", (order: BareOrder) => {
  run(order).then(
    () => process.send?.({ done: true }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
