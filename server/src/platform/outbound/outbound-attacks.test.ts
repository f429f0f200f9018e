import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { checkedLookup } from "./checked-connector.ts";
import { createOutbound } from "./outbound.ts";

/** A service on every local address, which no attack may reach. */
let victim: Server;
let port: number;
/** A service that the operator allows, which redirects to wherever its query says. */
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

const dns: Record<string, readonly string[]> = {
  "loopback.example": ["127.0.0.1"],
  "loopback6.example": ["::1"],
  "private.example": ["10.0.0.5"],
  "mixed.example": ["93.184.216.34", "127.0.0.1"],
  "mixed6.example": ["2606:2800:220:1::1", "::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "metadata.example": ["169.254.169.254"],
  "odd.example": ["0177.0.0.1"],
  "none.example": [],
};

const outbound = createOutbound({
  allow: [],
  resolve: async (name) => dns[name] ?? Promise.reject(new Error("ENOTFOUND")),
  limits: { totalMs: 5_000, connectMs: 2_000 },
});
afterAll(() => outbound.close());

const at = (host: string) => ({ https: `https://${host}:PORT/`, http: `http://${host}:PORT/` });

const literals: readonly (readonly [string, string])[] = [
  ["loopback", "127.0.0.1"],
  ["loopback, other end", "127.255.255.254"],
  ["loopback, decimal", "2130706433"],
  ["loopback, hexadecimal", "0x7f000001"],
  ["loopback, octal", "017700000001"],
  ["loopback, octal parts", "0177.0.0.01"],
  ["loopback, hexadecimal parts", "0x7f.0x0.0x0.0x1"],
  ["loopback, short", "127.1"],
  ["loopback, three parts", "127.0.1"],
  ["loopback, full width digits", "１２７.０.０.１"],
  ["loopback, circled digits", "①②⑦.⓪.⓪.①"],
  ["loopback, percent encoded", "%31%32%37.0.0.1"],
  ["loopback, trailing dot", "127.0.0.1."],
  ["this host", "0.0.0.0"],
  ["this host, short", "0"],
  ["private 10/8", "10.1.2.3"],
  ["private 172.16/12", "172.31.255.1"],
  ["private 192.168/16", "192.168.0.1"],
  ["shared 100.64/10, a metadata service too", "100.100.100.200"],
  ["metadata", "169.254.169.254"],
  ["metadata, decimal", "2852039166"],
  ["metadata in public space", "168.63.129.16"],
  ["protocol assignments", "192.0.0.192"],
  ["documentation", "203.0.113.7"],
  ["benchmarks", "198.18.0.1"],
  ["6to4 relay", "192.88.99.1"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["IPv6 loopback", "[::1]"],
  ["IPv6 loopback, long", "[0000:0000:0000:0000:0000:0000:0000:0001]"],
  ["IPv6 unspecified", "[::]"],
  ["IPv4-mapped", "[::ffff:127.0.0.1]"],
  ["IPv4-mapped, hexadecimal", "[::ffff:7f00:1]"],
  ["IPv4-compatible", "[::127.0.0.1]"],
  ["IPv4-translated", "[::ffff:0:127.0.0.1]"],
  ["NAT64", "[64:ff9b::169.254.169.254]"],
  ["NAT64, local", "[64:ff9b:1::10.0.0.1]"],
  ["6to4 of loopback", "[2002:7f00:1::]"],
  ["Teredo", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]"],
  ["ISATAP", "[2606:2800:220:1:0:5efe:7f00:1]"],
  ["unique local, metadata", "[fd00:ec2::254]"],
  ["link-local", "[fe80::1]"],
  ["site-local", "[fec0::1]"],
  ["IPv6 multicast", "[ff02::1]"],
  ["IPv6 documentation", "[2001:db8::1]"],
  ["IPv6 discard", "[100::1]"],
  ["IPv6 not yet given out", "[4000::1]"],
];

describe("addresses that are written out", () => {
  test.each(literals)("%s: %s", async (_, host) => {
    for (const url of Object.values(at(host)))
      await expect(
        outbound.send({ url: url.replace("PORT", String(port)), method: "GET", headers: {} }),
      ).rejects.toMatchObject({ code: "refused_address", mayHaveArrived: false });
    expect(reached).toEqual([]);
  });
});

describe("names", () => {
  test.each([
    ["loopback.example", "refused_address"],
    ["loopback6.example", "refused_address"],
    ["private.example", "refused_address"],
    ["mixed.example", "refused_address"],
    ["mixed6.example", "refused_address"],
    ["mapped.example", "refused_address"],
    ["nat64.example", "refused_address"],
    ["metadata.example", "refused_address"],
    ["odd.example", "unresolvable"],
    ["none.example", "unresolvable"],
    ["unknown.example", "unresolvable"],
  ])("%s: %s", async (name, code) => {
    await expect(
      outbound.send({ url: `https://${name}:${port}/`, method: "GET", headers: {} }),
    ).rejects.toMatchObject({ code, mayHaveArrived: false });
    expect(reached).toEqual([]);
  });

  test("localhost, by the system's own resolver", async () => {
    const real = createOutbound();
    for (const name of ["localhost", "LOCALHOST"])
      await expect(
        real.send({ url: `https://${name}:${port}/`, method: "GET", headers: {} }),
      ).rejects.toMatchObject({ code: "refused_address" });
    await real.close();
    expect(reached).toEqual([]);
  });

  test("rebinding: the socket is given the very addresses that were checked, from one question", async () => {
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

describe("URLs that are none of ours", () => {
  test.each([
    ["file:///etc/passwd", "refused_url"],
    ["ftp://files.example/", "refused_url"],
    ["gopher://files.example/_x", "refused_url"],
    ["data:text/plain,x", "refused_url"],
    ["javascript:alert(1)", "refused_url"],
    ["https://user:pass@public.example/", "refused_url"],
    ["https://public.example@127.0.0.1/", "refused_url"],
    ["https://[fe80::1%25eth0]/", "refused_url"],
    ["https://", "refused_url"],
    ["//127.0.0.1/", "refused_url"],
    ["https://a.example:0/", "refused_url"],
    [`https://a.example/${"x".repeat(9000)}`, "refused_url"],
    ["http://public.example/", "insecure"],
    ["http://93.184.216.34/", "insecure"],
  ])("%.60s: %s", async (url, code) => {
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
      resolve: async (name) => dns[name] ?? [],
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

  test("in circles", async () => {
    await expect(through("itself")).rejects.toMatchObject({ code: "too_many_redirects" });
  });
});
