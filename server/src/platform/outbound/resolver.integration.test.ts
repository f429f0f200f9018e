import { createSocket, type Socket } from "node:dgram";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createOutbound } from "./outbound.ts";
import { createResolver, type ResolverOptions } from "./resolver.ts";

interface Zone {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly ttl?: number;
}

const typeA = 1;
const typeAaaa = 28;
let zones: Record<string, Zone | "silent">;
let asked: string[];
let server: Socket;
let servers: readonly string[];
let folder: string;
let hostsFile: string;
/** Names whose queries wait for `release`. */
let held: (() => void)[];

const ipv6Bytes = (address: string) => {
  const [head = "", tail = ""] = address.split("::");
  const words = (text: string) =>
    text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16));
  const [left, right] = [words(head), words(tail)];
  const all = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
  return all.flatMap((word) => [Math.floor(word / 256), word % 256]);
};

/** Answers a DNS query (RFC 1035) for one name. */
const answerTo = (query: Buffer, zone: Zone | undefined, type: number) => {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const addresses = (type === typeA ? zone?.a : type === typeAaaa ? zone?.aaaa : undefined) ?? [];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(zone ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const data = Buffer.from(type === typeA ? address.split(".").map(Number) : ipv6Bytes(address));
    const fixed = Buffer.alloc(12);
    fixed.writeUInt16BE(0xc00c, 0);
    fixed.writeUInt16BE(type, 2);
    fixed.writeUInt16BE(1, 4);
    fixed.writeUInt32BE(zone?.ttl ?? 300, 6);
    fixed.writeUInt16BE(data.length, 10);
    return Buffer.concat([fixed, data]);
  });
  return Buffer.concat([header, question, ...records]);
};

const nameIn = (query: Buffer) => {
  const labels: string[] = [];
  for (let at = 12; query[at]; at += 1 + (query[at] as number))
    labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] as number)));
  return labels.join(".").toLowerCase();
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "resolver-"));
  hostsFile = join(folder, "hosts");
  writeFileSync(
    hostsFile,
    "127.0.0.1 localhost\n# 10.0.0.1 comment.example\n93.184.216.34\tpinned.example Other # x\n",
  );
  server = createSocket("udp4");
  server.on("message", (query, from) => {
    const name = nameIn(query);
    const type = query.readUInt16BE(query.indexOf(0, 12) + 1);
    asked.push(`${type === typeA ? "A" : "AAAA"} ${name}`);
    const zone = zones[name];
    const reply = (of: Zone | undefined) => server.send(answerTo(query, of, type), from.port, from.address);
    if (zone === "silent") held.push(() => reply({ a: ["93.184.216.34"] }));
    else reply(zone);
  });
  await new Promise<void>((resolve) => {
    server.bind(0, "127.0.0.1", resolve);
  });
  servers = [`127.0.0.1:${server.address().port}`];
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  asked = [];
  held = [];
  zones = {};
});

const resolver = (options: ResolverOptions = {}) => createResolver({ servers, hostsFile, ...options });

test("finds all addresses, IPv4 first", async () => {
  zones["both.example"] = { a: ["93.184.216.34", "93.184.216.35"], aaaa: ["2606:2800:220:1::1"] };
  zones["four.example"] = { a: ["93.184.216.34"] };
  zones["six.example"] = { aaaa: ["2606:2800:220:1::1"] };
  zones["none.example"] = {};
  const resolve = resolver();
  expect(await resolve("Both.Example.")).toEqual(["93.184.216.34", "93.184.216.35", "2606:2800:220:1::1"]);
  expect(await resolve("four.example")).toEqual(["93.184.216.34"]);
  expect(await resolve("six.example")).toEqual(["2606:2800:220:1::1"]);
  await expect(resolve("none.example")).rejects.toThrow();
  await expect(resolve("unknown.example")).rejects.toThrow();
});

test("the hosts file comes first, and no name server sees reserved names", async () => {
  zones["pinned.example"] = { a: ["10.0.0.1"] };
  const resolve = resolver();
  expect(await resolve("PINNED.example")).toEqual(["93.184.216.34"]);
  expect(await resolve("other")).toEqual(["93.184.216.34"]);
  expect(await resolve("localhost")).toEqual(["127.0.0.1"]);
  expect(await resolve("x.localhost")).toEqual(["127.0.0.1", "::1"]);
  await expect(resolve("desk.invalid")).rejects.toThrow("reserved");
  expect(asked).toEqual([]);
  await expect(resolve("comment.example")).rejects.toThrow();
  await expect(resolver({ hostsFile: join(folder, "no-such-file") })("other")).rejects.toThrow();
});

test("an answer is used for its TTL, within bounds, and a failure for some seconds", async () => {
  let now = 1;
  const resolve = resolver({ now: () => now });
  const queries = async (name: string) => {
    asked = [];
    await resolve(name).catch(() => {});
    return asked.length > 0;
  };
  zones["hour.example"] = { a: ["93.184.216.34"], ttl: 3_600 };
  zones["zero.example"] = { a: ["93.184.216.34"], ttl: 0 };
  const names = ["hour.example", "zero.example", "unknown.example"];
  const all = async () => Promise.all(names.map(async (name) => [name, await queries(name)] as const));
  const asking = async () => {
    const found: string[] = [];
    for (const name of names) if (await queries(name)) found.push(name);
    return found;
  };
  await all();
  now += 900;
  expect(await asking()).toEqual([]);
  now += 1_000;
  expect(await asking()).toEqual(["zero.example"]);
  now += 5_000;
  expect(await asking()).toEqual(["zero.example", "unknown.example"]);
  now += 60_000;
  expect(await asking()).toEqual(names);
});

test("concurrent calls for a name share one lookup", async () => {
  zones["shared.example"] = { a: ["93.184.216.34"] };
  const resolve = resolver();
  await Promise.all(Array.from({ length: 20 }, () => resolve("shared.example")));
  expect(asked.toSorted()).toEqual(["A shared.example", "AAAA shared.example"]);
});

test("names whose servers are silent hold up nothing else", async () => {
  const resolve = resolver({ totalMs: 60_000, queryMs: 60_000 });
  const silent = Array.from({ length: 40 }, (_, index) => `silent-${index}.example`);
  for (const name of silent) zones[name] = "silent";
  zones["fine.example"] = { a: ["93.184.216.34"] };
  const waiting = Promise.all(silent.map(resolve));
  // The system's lookup would hold all threads of the process now, those that read files included.
  expect(await resolve("fine.example")).toEqual(["93.184.216.34"]);
  expect(await readFile(hostsFile, "utf8")).toBe(readFileSync(hostsFile, "utf8"));
  while (held.length < 2 * silent.length) await new Promise(setImmediate);
  for (const release of held) release();
  expect(await waiting).toHaveLength(40);
});

test("a lookup ends when its time is over", async () => {
  zones["silent.example"] = "silent";
  await expect(resolver({ totalMs: 20, queryMs: 60_000 })("silent.example")).rejects.toThrow("in time");
});

test("cached addresses are checked at every connection", async () => {
  zones["inside.example"] = { a: ["93.184.216.34", "10.0.0.7"] };
  const outbound = createOutbound({ resolve: resolver() });
  for (let round = 0; round < 2; round += 1)
    await expect(
      outbound.send({ url: "https://inside.example/", method: "GET", headers: {} }),
    ).rejects.toMatchObject({ code: "refused_address" });
  expect(asked).toHaveLength(2);
  await outbound.close();
});
