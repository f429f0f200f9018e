import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  attackersNames,
  privateAddresses,
  refusedNames,
  refusedUrls,
} from "../../../../test/support/attack-forms.ts";
import { checkedLookup } from "./checked-connector.ts";
import { createOutbound } from "./outbound.ts";

/** A service on every local address; no attack may reach it. */
let victim: Server;
let port: number;
/** A service that the operator allows and that redirects to the address in its query. */
let allowed: Server;
let allowedPort: number;
let reached: string[];

const listen = (server: Server, host: string) =>
  new Promise<number>((resolve) => {
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port));
  });

beforeAll(async () => {
  victim = createServer((request, response) => {
    reached.push(request.url ?? "");
    response.end("internal");
  });
  victim.on("connection", () => reached.push("connection"));
  // Dual stack, so that 127.0.0.1, ::1 and ::ffff:127.0.0.1 all lead here.
  port = await listen(victim, "::");
  allowed = createServer((request, response) => {
    const to = new URL(request.url ?? "", "http://x").searchParams.get("to") ?? "";
    response.writeHead(302, { location: to === "itself" ? (request.url ?? "") : to }).end();
  });
  allowedPort = await listen(allowed, "127.0.0.1");
});

afterAll(() => {
  victim.close();
  allowed.close();
});

beforeEach(() => {
  reached = [];
});

const outbound = createOutbound({
  allow: [],
  resolve: async (name) => attackersNames[name] ?? Promise.reject(new Error("ENOTFOUND")),
  limits: { totalMs: 5_000, connectMs: 2_000 },
});
afterAll(() => outbound.close());

const at = (host: string) => ({ https: `https://${host}:PORT/`, http: `http://${host}:PORT/` });

describe("literal addresses", () => {
  test.each(privateAddresses)("%s: %s", async (_, host) => {
    for (const url of Object.values(at(host)))
      await expect(
        outbound.send({ url: url.replace("PORT", String(port)), method: "GET", headers: {} }),
      ).rejects.toMatchObject({ code: "refused_address", mayHaveArrived: false });
    expect(reached).toEqual([]);
  });
});

describe("names", () => {
  test.each(refusedNames)("%s: %s", async (name, code) => {
    await expect(
      outbound.send({ url: `https://${name}:${port}/`, method: "GET", headers: {} }),
    ).rejects.toMatchObject({ code, mayHaveArrived: false });
    expect(reached).toEqual([]);
  });

  test("localhost, with the resolver that is used in operation", async () => {
    const real = createOutbound();
    for (const name of ["localhost", "LOCALHOST"])
      await expect(
        real.send({ url: `https://${name}:${port}/`, method: "GET", headers: {} }),
      ).rejects.toMatchObject({ code: "refused_address" });
    await real.close();
    expect(reached).toEqual([]);
  });

  test("rebinding: one DNS query, and the socket connects to the addresses that were checked", async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked === 1 ? ["93.184.216.34"] : ["127.0.0.1"];
    };
    const given = await new Promise((done) => {
      checkedLookup(resolve, false)("rebind.example", { all: true }, (error, found) => done(error ?? found));
    });
    expect(given).toEqual([{ address: "93.184.216.34", family: 4 }]);
    expect(asked).toBe(1);
    const rebinding = createOutbound({ resolve });
    await expect(
      rebinding.send({ url: `https://rebind.example:${port}/`, method: "GET", headers: {} }),
    ).rejects.toMatchObject({ code: "refused_address" });
    expect(asked).toBe(2);
    expect(reached).toEqual([]);
    await rebinding.close();
  });
});

describe("unsupported URLs", () => {
  test.each(refusedUrls)("%.60s: %s", async (url, code) => {
    await expect(outbound.send({ url, method: "GET", headers: {} })).rejects.toMatchObject({ code });
  });

  test("headers can't smuggle a second request", async () => {
    const local = createOutbound({ allow: [`127.0.0.1:${port}`] });
    await expect(
      local.send({
        url: `http://127.0.0.1:${port}/`,
        method: "GET",
        headers: { "x-note": "a\r\nHost: evil\r\n\r\nGET /second HTTP/1.1" },
      }),
    ).rejects.toMatchObject({ code: "refused_url" });
    expect(reached).not.toContain("/second");
    await local.close();
  });
});

describe("redirects", () => {
  const through = (to: string) => {
    const local = createOutbound({
      allow: [`127.0.0.1:${allowedPort}`],
      resolve: async (name) => attackersNames[name] ?? [],
      limits: { totalMs: 3_000 },
    });
    const url = `http://127.0.0.1:${allowedPort}/?to=${encodeURIComponent(to)}`;
    return local.send({ url, method: "GET", headers: {} }).finally(() => local.close());
  };

  test.each([
    ["to loopback", () => `http://127.0.0.1:${port}/`, "refused_address"],
    ["to loopback with TLS", () => `https://127.0.0.1:${port}/`, "refused_address"],
    ["to another spelling", () => `http://0x7f.1:${port}/`, "refused_address"],
    ["to IPv6 loopback", () => `http://[::1]:${port}/`, "refused_address"],
    ["to the metadata service", () => "http://169.254.169.254/latest/meta-data/", "refused_address"],
    ["to a private name", () => `https://loopback.example:${port}/`, "refused_address"],
    ["to plain http", () => "http://public.example/", "insecure"],
    ["to a file", () => "file:///etc/passwd", "refused_url"],
    ["to credentials in the URL", () => "https://u:p@public.example/", "refused_url"],
    ["to the same host on another port", () => `http://127.0.0.1:${port}/admin`, "refused_address"],
  ] as [string, () => string, string][])("%s", async (_, to, code) => {
    await expect(through(to())).rejects.toMatchObject({ code });
    expect(reached).toEqual([]);
  });

  test("in a loop", async () => {
    await expect(through("itself")).rejects.toMatchObject({ code: "too_many_redirects" });
  });
});
