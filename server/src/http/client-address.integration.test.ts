import { request as send } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { createLog } from "../platform/log.ts";
import { ok } from "./answer.ts";
import { createHttpServer, type HttpServer } from "./server.ts";
import { createSignInGuard } from "./sign-in-guard.ts";

const servers: HttpServer[] = [];
afterAll(() => Promise.all(servers.map(({ app }) => app.close())));

/** A server behind a proxy at 127.0.0.1, where every sign-in fails; the second one of a client in a minute is refused. */
const behind = async (trustedProxies: readonly string[]) => {
  const guard = createSignInGuard(1);
  const server = createHttpServer(
    [
      {
        method: "GET",
        path: "/",
        answer: async (request) => {
          guard.failed(request.ip);
          return ok({ address: request.ip });
        },
      },
    ],
    { log: createLog("silent"), trustedProxies, requestTimeoutMs: 30_000 },
  );
  servers.push(server);
  const origin = await server.app.listen({ host: "127.0.0.1", port: 0 });
  /** What a proxy sends on: it appends the address of its own client. */
  return (forwarded: string): Promise<{ status: number | undefined; address: string | undefined }> =>
    new Promise((resolve, reject) => {
      const asked = send(origin, { headers: { "x-forwarded-for": forwarded } }, async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        const { address } = JSON.parse(Buffer.concat(chunks).toString()) as { address?: string };
        resolve({ status: answer.statusCode, address });
      });
      asked.on("error", reject).end();
    });
};

describe("behind a trusted proxy", () => {
  test.each([["127.0.0.1"], ["127.0.0.0/8"]])(
    "named as %s, each client has a limit of its own",
    async (proxy) => {
      const ask = await behind([proxy]);
      expect(await ask("203.0.113.7")).toEqual({ status: 200, address: "203.0.113.7" });
      expect((await ask("203.0.113.7")).status).toBe(429);
      expect((await ask("203.0.113.8")).status).toBe(200);
    },
  );

  test("what the client itself wrote into the header is not believed", async () => {
    const ask = await behind(["127.0.0.1"]);
    expect(await ask("198.51.100.1, 203.0.113.7")).toEqual({ status: 200, address: "203.0.113.7" });
    expect((await ask("198.51.100.2, 203.0.113.7")).status).toBe(429);
  });

  test("all addresses of a client's IPv6 network share a limit; an IPv4 address written as IPv6 is the same client", async () => {
    const ask = await behind(["127.0.0.1"]);
    expect((await ask("2001:db8:1:2::1")).status).toBe(200);
    expect((await ask("2001:db8:1:2:ffff::9")).status).toBe(429);
    expect((await ask("2001:db8:1:3::1")).status).toBe(200);
    expect((await ask("203.0.113.7")).status).toBe(200);
    expect((await ask("::ffff:203.0.113.7")).status).toBe(429);
    expect((await ask("::ffff:203.0.113.8")).status).toBe(200);
  });
});

test("a proxy that is not named hides its clients, and none of its headers is believed", async () => {
  for (const trusted of [[], ["192.0.2.1"]]) {
    const ask = await behind(trusted);
    expect(await ask("203.0.113.7")).toEqual({ status: 200, address: "127.0.0.1" });
    expect((await ask("203.0.113.8")).status).toBe(429);
  }
});
