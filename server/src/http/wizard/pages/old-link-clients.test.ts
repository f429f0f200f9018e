import { fastify } from "fastify";
import { expect, test } from "vitest";
import { Problem } from "../../answer.ts";
import { oldLinkRoute } from "./old-link.ts";

test("unknown addresses are limited per client: all of an IPv6 network is one", async () => {
  const { path, answer } = oldLinkRoute({ resolve: async () => null, missesPerMinute: 1 });
  const app = fastify();
  app.get(path, async (request, reply) => {
    try {
      const { status } = await answer(request, reply);
      return await reply.code(status).send();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return reply.code(429).send();
    }
  });
  const from = async (remoteAddress: string) =>
    (await app.inject({ url: "/r/imp_1/tickets/1", remoteAddress })).statusCode;
  expect([await from("2001:db8:1:2::1"), await from("2001:db8:1:2::2")]).toEqual([404, 404]);
  expect(await from("2001:db8:1:2::3")).toBe(429);
  expect(await from("2001:db8:1:3::1")).toBe(404);
  await app.close();
});
