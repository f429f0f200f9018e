import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { readAllowances } from "./allowances.ts";
import { createOutbound, type OutboundOptions, type OutboundRequest } from "./outbound.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const serve = async (handler: Handler, host = "127.0.0.1") => {
  const server: Server = createServer(handler);
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve);
  });
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

const client = (options: OutboundOptions) => {
  const made = createOutbound(options);
  open.push(made.close);
  return (request: Partial<OutboundRequest> & { url: string }) =>
    made.send({ method: "GET", headers: {}, ...request });
};

const textOf = async (body: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

test("an allowance is one exact host and port", async () => {
  const port = await serve((_, response) => response.end("hello"));
  const get = client({ allow: [`127.0.0.1:${port}`] });
  const answer = await get({ url: `http://127.0.0.1:${port}/` });
  expect([answer.status, await textOf(answer.body)]).toEqual([200, "hello"]);
  await expect(get({ url: `http://127.0.0.1:${port + 1}/` })).rejects.toMatchObject({
    code: "refused_address",
  });
  await expect(get({ url: `http://127.0.0.2:${port}/` })).rejects.toMatchObject({ code: "refused_address" });
  await expect(get({ url: `http://localhost:${port}/` })).rejects.toMatchObject({ code: "insecure" });
});

test("an allowance of any port is for its own address of this machine", async () => {
  const port = await serve((_, response) => response.end("hello"));
  const get = client({ allow: ["127.0.0.1:*"] });
  expect(await textOf((await get({ url: `http://127.0.0.1:${port}/` })).body)).toBe("hello");
  await expect(get({ url: `http://127.0.0.2:${port}/` })).rejects.toMatchObject({ code: "refused_address" });
  await expect(get({ url: `http://localhost:${port}/` })).rejects.toMatchObject({ code: "insecure" });
});

test("an allowed name may be private", async () => {
  const port = await serve((_, response) => response.end("hello"));
  const get = client({ allow: [`tool.internal:${port}`], resolve: async () => ["127.0.0.1"] });
  expect(await textOf((await get({ url: `http://tool.internal:${port}/` })).body)).toBe("hello");
});

test.each(["127.0.0.1", "10.0.0.0/8:80", "*.internal:80", "a:*", "10.0.0.1:*", "*:*", "a:0", "a:99999", ""])(
  "%j is no allowance",
  (entry) => {
    expect(() => readAllowances([entry])).toThrow("exact host and port");
  },
);

describe("limits", () => {
  const run = async (handler: Handler, limits: OutboundOptions["limits"] = {}) => {
    const port = await serve(handler);
    const get = client({ allow: [`127.0.0.1:${port}`], limits });
    return textOf((await get({ url: `http://127.0.0.1:${port}/` })).body);
  };

  test("a body that is too large is cut off", async () => {
    let sent = 0;
    const endless: Handler = (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on("drain", more);
      more();
    };
    await expect(run(endless, { maxBytes: 1_000_000 })).rejects.toMatchObject({ code: "too_large" });
    expect(sent).toBeLessThan(50_000_000);
  });

  test("no headers in time", async () => {
    await expect(run(() => {}, { headersMs: 200 })).rejects.toMatchObject({
      code: "timed_out",
      mayHaveArrived: true,
    });
  });

  test("a body that stops", async () => {
    await expect(run((_, response) => void response.write("begin"), { idleMs: 200 })).rejects.toMatchObject({
      code: "timed_out",
    });
  });

  test("a body that drips forever", async () => {
    const drip: Handler = (_, response) => {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    };
    await expect(run(drip, { idleMs: 500, totalMs: 400 })).rejects.toMatchObject({ code: "timed_out" });
  });

  test("headers that are too large", async () => {
    await expect(
      run((_, response) => void response.writeHead(200, { "x-long": "x".repeat(20_000) }).end()),
    ).rejects.toMatchObject({ code: "too_large" });
  });

  test("a reset", async () => {
    await expect(run((request) => void request.socket.destroy())).rejects.toMatchObject({
      code: "unreachable",
      mayHaveArrived: true,
    });
  });

  test("no listener: nothing was sent", async () => {
    const port = await serve(() => {});
    await open.pop()?.();
    const get = client({ allow: [`127.0.0.1:${port}`] });
    await expect(get({ url: `http://127.0.0.1:${port}/`, method: "POST", body: "x" })).rejects.toMatchObject({
      code: "unreachable",
      mayHaveArrived: false,
    });
  });

  test("the caller aborts", async () => {
    const port = await serve(() => {});
    const get = client({ allow: [`127.0.0.1:${port}`] });
    await expect(
      get({ url: `http://127.0.0.1:${port}/`, signal: AbortSignal.timeout(100) }),
    ).rejects.toMatchObject({ code: "aborted" });
  });

  test("no TLS where TLS is required", async () => {
    const port = await serve((_, response) => response.end());
    const get = client({ allow: [`127.0.0.1:${port}`] });
    await expect(get({ url: `https://127.0.0.1:${port}/` })).rejects.toMatchObject({
      code: expect.stringMatching(/tls_failed|unreachable/),
      mayHaveArrived: false,
    });
  });
});

describe("redirects", () => {
  const seen: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  const record = async (request: IncomingMessage) => {
    const body = await textOf(request);
    seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
  };

  const twoOrigins = async (status: number) => {
    seen.length = 0;
    const other = await serve(async (request, response) => {
      await record(request);
      response.end("other");
    });
    const port = await serve(async (request, response) => {
      await record(request);
      if (request.url === "/same") response.writeHead(status, { location: "/end" }).end();
      else if (request.url === "/cross")
        response.writeHead(status, { location: `http://127.0.0.1:${other}/end` }).end();
      else response.end("end");
    });
    const send = client({ allow: [`127.0.0.1:${port}`, `127.0.0.1:${other}`] });
    return (path: string, more: Partial<OutboundRequest> = {}) =>
      send({ url: `http://127.0.0.1:${port}${path}`, ...more });
  };

  const secretive = { authorization: "Bearer x", "x-api-key": "x", cookie: "x", accept: "text/plain" };

  test("credentials stay at their origin", async () => {
    const send = await twoOrigins(302);
    await textOf((await send("/same", { headers: secretive })).body);
    expect(seen[1]?.headers).toMatchObject(secretive);
    const answer = await send("/cross", { headers: secretive });
    expect(await textOf(answer.body)).toBe("other");
    expect(answer.url).toMatch(/\/end$/);
    for (const name of ["authorization", "x-api-key", "cookie"])
      expect(seen[3]?.headers).not.toHaveProperty(name);
    expect(seen[3]?.headers.accept).toBe("text/plain");
  });

  test.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [307, "POST", "POST", "body"],
    [308, "PUT", "PUT", "body"],
    [302, "PUT", "PUT", "body"],
  ])("%i turns %s into %s", async (status, method, becomes, body) => {
    const send = await twoOrigins(status);
    await textOf((await send("/same", { method, body: "body" })).body);
    expect(seen.map((each) => [each.method, each.url, each.body])).toEqual([
      [method, "/same", "body"],
      [becomes, "/end", body],
    ]);
  });

  test("a redirected upload can't be sent again", async () => {
    const send = await twoOrigins(307);
    const body = (async function* () {
      yield Buffer.from("once");
    })();
    await expect(send("/same", { method: "POST", body })).rejects.toMatchObject({ code: "bad_answer" });
  });

  test("are returned when the caller follows them itself", async () => {
    const send = await twoOrigins(302);
    const answer = await send("/same", { limits: { maxRedirects: 0 } });
    expect([answer.status, answer.headers.location]).toEqual([302, "/end"]);
    await textOf(answer.body);
  });
});

test("ignores proxy settings of the environment", async () => {
  let proxied = 0;
  const proxy = await serve((_, response) => {
    proxied += 1;
    response.end("proxy");
  });
  const port = await serve((_, response) => response.end("direct"));
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
  const before = names.map((name) => process.env[name]);
  for (const name of names)
    process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : `http://127.0.0.1:${proxy}`;
  try {
    const get = client({ allow: [`127.0.0.1:${port}`] });
    expect(await textOf((await get({ url: `http://127.0.0.1:${port}/` })).body)).toBe("direct");
    expect(proxied).toBe(0);
  } finally {
    names.forEach((name, index) => {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    });
  }
});
