import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { createServer as createHttpsServer } from "node:https";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type Certificate, makeCertificate } from "../../../../test/support/mail-server.ts";
import { createOutbound } from "./index.ts";

let certificate: Certificate;
beforeAll(() => {
  certificate = makeCertificate();
});

const listening = async (server: ReturnType<typeof createServer>) => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const outbound = createOutbound({ allow: [`127.0.0.1:${port}`], ca: [certificate.cert] });
  onTestFinished(async () => {
    await outbound.close();
    server.close();
  });
  return { port, outbound };
};

/** A tool that never answers, behind a door that sees how the connection ends: reset (ECONNRESET) or closed (FIN). */
const givenSilent = async (isSecure: boolean) => {
  const { key, cert } = certificate;
  const tool = createServer((raw) => {
    const secureContext = createSecureContext({ key, cert });
    const socket = isSecure ? new TLSSocket(raw, { isServer: true, secureContext }) : raw;
    for (const each of [raw, socket]) each.on("error", () => {});
    socket.on("data", () => {});
  });
  const { port: behind } = await listening(tool);
  let ended: (how: string) => void = () => {};
  const how = new Promise<string>((resolve) => {
    ended = resolve;
  });
  const door = createServer((socket) => {
    const inner = connect(behind, "127.0.0.1");
    socket.on("error", ({ code }: NodeJS.ErrnoException) => ended(code ?? "")).on("end", () => ended("FIN"));
    socket.on("close", () => inner.destroy());
    inner.on("error", () => {});
    socket.pipe(inner).pipe(socket);
  });
  const { port, outbound } = await listening(door);
  return { how, outbound, url: `${isSecure ? "https" : "http"}://127.0.0.1:${port}/` };
};

const ways = [
  ["plain", false],
  ["TLS", true],
] as const;

test.each(ways)("%s: an aborted request resets its connection", async (_, isSecure) => {
  const { how, outbound, url } = await givenSilent(isSecure);
  const signal = AbortSignal.timeout(500);
  await expect(outbound.send({ url, method: "POST", headers: {}, body: "x", signal })).rejects.toMatchObject({
    code: "aborted",
    mayHaveArrived: true,
  });
  expect(await how).toBe("ECONNRESET");
});

test.each(ways)("%s: so does one that takes too long", async (_, isSecure) => {
  const { how, outbound, url } = await givenSilent(isSecure);
  const limits = { totalMs: 500 };
  await expect(outbound.send({ url, method: "POST", headers: {}, body: "x", limits })).rejects.toMatchObject({
    code: "timed_out",
  });
  expect(await how).toBe("ECONNRESET");
});

test("bytes that an aborted request had buffered never arrive", async () => {
  let bytes = 0;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    socket.pause();
  });
  const { port, outbound } = await listening(server);
  const body = Buffer.alloc(8 * 1024 * 1024);
  const sent = outbound.send({
    url: `http://127.0.0.1:${port}/`,
    method: "POST",
    headers: {},
    body,
    signal: AbortSignal.timeout(500),
  });
  await expect(sent).rejects.toMatchObject({ code: "aborted" });
  const [socket] = sockets;
  const closed = new Promise((resolve) => socket?.once("close", resolve));
  socket?.resume();
  await closed;
  // The tool may have read some before; what the kernels had buffered is gone.
  expect(bytes).toBeLessThan(1024 * 1024);
});

test("TLS: requests share a connection, and a wrong certificate is refused", async () => {
  const { key, cert } = certificate;
  const connections = new Set<Socket>();
  const server = createHttpsServer({ key, cert }, (request, response) => {
    connections.add(request.socket);
    response.end("fine");
  });
  const { port, outbound } = await listening(server);
  const url = `https://127.0.0.1:${port}/`;
  for (let n = 0; n < 3; n += 1) {
    const answer = await outbound.send({ url, method: "GET", headers: {} });
    for await (const _ of answer.body);
  }
  expect(connections.size).toBeLessThan(3);
  const strangers = createOutbound({ allow: [`127.0.0.1:${port}`] });
  onTestFinished(() => strangers.close());
  await expect(strangers.send({ url, method: "GET", headers: {} })).rejects.toMatchObject({
    code: "tls_failed",
    mayHaveArrived: false,
  });
});
