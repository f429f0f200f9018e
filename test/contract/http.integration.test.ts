import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { bothBases, live, useApi } from "./api.ts";
import { basic } from "./http-client.ts";
import { simulator } from "./simulator-fixture.ts";

const api = useApi();
const body = { source_tool: "request-tracker" };

/** Raw bytes on a socket, which no HTTP client would send. */
const sendRaw = (bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.origin).port), "127.0.0.1", () => socket.write(bytes));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
    socket.setTimeout(5_000, () => reject(new Error(`no end; so far: ${answer}`)));
  });

const expectJsonProblem = (answer: string, status: number, code: string) => {
  const [head = "", json = ""] = answer.split("\r\n\r\n");
  expect(head.split("\r\n")[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/content-type: application\/json; charset=utf-8/i);
  expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/i);
  expect(head).toMatch(/cache-control: no-store/i);
  expect(JSON.parse(json)).toMatchObject({ error: { code } });
};

describe.each(bothBases)("$base", ({ base }) => {
  const post = async (overrides: Partial<Parameters<typeof api.ask>[0]>) => {
    const { token } = await api.partner();
    return api.ask({ method: "POST", path: `${base}/imports`, token, body, ...overrides });
  };
  const json = JSON.stringify(body);

  test("a missing Content-Type is read as JSON", async () => {
    expect((await post({ body: json })).status).toBe(201);
  });

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "APPLICATION/JSON",
    "application/json;charset=UTF-8",
  ])("Content-Type %s is JSON", async (type) => {
    expect((await post({ body: json, headers: { "content-type": type } })).status).toBe(201);
  });

  test.each([
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "bogus",
    "application/json/x",
  ])("Content-Type %s is 400", async (type) => {
    const { status, json: problem } = await post({ body: json, headers: { "content-type": type } });
    expect(status).toBe(400);
    expect(problem).toMatchObject({ error: { code: "bad_request" } });
  });

  test.each(["gzip", "identity", "br"])("a Content-Encoding (%s) is 400", async (encoding) => {
    expect((await post({ body: json, headers: { "content-encoding": encoding } })).status).toBe(400);
  });

  test.each([
    ["bad UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["truncated JSON", '{"source_tool":"request-tracker"'],
    ["an array", "[]"],
    ["a text", '"x"'],
    ["a number", "1"],
    ["null", "null"],
    ["nothing", ""],
    ["a byte order mark", `\ufeff${json}`],
    ["more than 64 KiB", JSON.stringify({ ...body, x: "a".repeat(64 * 1024) })],
    ["10,000 brackets", "[".repeat(10_000)],
  ])("a body that is %s is 400", async (_, bytes) => {
    expect((await post({ body: bytes })).status).toBe(400);
  });

  test("a body of just 64 KiB is read", async () => {
    const padded = JSON.stringify({ ...body, x: "" });
    const exact = JSON.stringify({ ...body, x: "a".repeat(64 * 1024 - Buffer.byteLength(padded)) });
    expect(Buffer.byteLength(exact)).toBe(64 * 1024);
    expect((await post({ body: exact })).status).toBe(201);
  });

  test("a chunked body over 64 KiB is 400 too, and the connection stays usable", async () => {
    const { token } = await api.partner();
    const head = `POST ${base}/imports HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(token)}\r\n`;
    const chunk = "a".repeat(0x8000);
    const chunks = `${`8000\r\n${chunk}\r\n`.repeat(3)}0\r\n\r\n`;
    const answer = await sendRaw(
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}GET ${base}/tools HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${basic(token)}\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 (\d+)/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 200"]);
  });

  test("trailing and double slashes are ignored", async () => {
    const { token } = await api.partner();
    for (const path of [
      `${base}/tools/`,
      `${base}//tools`,
      `/${base}/tools`,
      `${base.replace("/api", "//api//")}/tools//`,
    ])
      expect([path, (await api.ask({ path, token })).status]).toEqual([path, 200]);
    expect((await api.ask({ method: "DELETE", path: `${base}//tools/`, token })).status).toBe(405);
  });

  test("paths are case-sensitive", async () => {
    const { token } = await api.partner();
    expect((await api.ask({ path: `${base}/TOOLS`, token })).status).toBe(404);
  });

  test("a body on GET is ignored", async () => {
    const { token } = await api.partner();
    const { status } = await api.ask({
      path: `${base}/tools`,
      token,
      body: "{not json",
      headers: { "content-type": "text/x" },
    });
    expect(status).toBe(200);
  });

  test("no compression, no CORS, no ETag", async () => {
    const { token } = await api.partner();
    const { headers } = await api.ask({
      path: `${base}/tools`,
      token,
      headers: { "accept-encoding": "gzip, br", origin: "https://acme.example", "if-none-match": "*" },
    });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each([
    ["Basic of token and colon", (token: string) => basic(token)],
    [
      "with a password",
      (token: string) => `Basic ${Buffer.from(`${token}:anything:more`).toString("base64")}`,
    ],
    ["without the colon", (token: string) => `Basic ${Buffer.from(token).toString("base64")}`],
    ["scheme in lower case", (token: string) => basic(token).replace("Basic", "basic")],
  ])("credentials: %s", async (_, header) => {
    const { token } = await api.partner();
    expect((await api.ask({ path: `${base}/tools`, headers: { authorization: header(token) } })).status).toBe(
      200,
    );
  });

  test("accept and reject ignore a body of any type", async () => {
    const { token } = await api.partner();
    const id = base === live ? ((await post({ token })).json as { id: string }).id : "sample_completed";
    for (const decision of ["accept", "reject"])
      for (const [type, sent] of [
        ["application/json", ""],
        ["application/json", "{broken"],
        ["text/xml", "<x/>"],
        ["bogus", ""],
      ]) {
        const { status, text } = await api.ask({
          method: "POST",
          path: `${base}/imports/${id}/payment/${decision}`,
          token,
          body: sent ?? "",
          headers: { "content-type": type ?? "" },
        });
        expect([decision, type, status, text]).toEqual([decision, type, 200, ""]);
      }
  });

  test("ignores Expect", async () => {
    const { token } = await api.partner();
    expect(
      (await api.ask({ path: `${base}/tools`, token, headers: { expect: "something-else" } })).status,
    ).toBe(200);
  });
});

describe.each([...bothBases, { base: simulator }])("$base: ids in the path", ({ base }) => {
  test("are decoded once: what is not an id then is 404", async () => {
    const { token } = await api.partner();
    const made = await api.ask({ method: "POST", path: `${base}/imports`, token, body });
    const { id } = made.json as { id: string };
    const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    const statusOf = async (path: string) =>
      (await api.ask({ path: `${base}/imports/${path}`, token })).status;
    expect(await statusOf(encoded)).toBe(200);
    for (const path of ["%25", "%2525", encoded.replace("%", "%25")])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
  });

  test.each([1_001, 8_000])("of %i characters are answered like any other", async (length) => {
    const { token } = await api.partner();
    const long = "i".repeat(length);
    const statusOf = async (method: string, path: string, shown?: string) =>
      (await api.ask({ method, path: `${base}${path}`, ...(shown !== undefined && { token: shown }) }))
        .status;
    for (const [method, path] of [
      ["GET", `/imports/${long}`],
      ["GET", `/imports/${long}/old-links`],
      ["POST", `/imports/${long}/payment/accept`],
      ["POST", `/webhook-deliveries/${long}/replay`],
    ] as const) {
      expect([path.slice(0, 12), await statusOf(method, path)]).toEqual([path.slice(0, 12), 401]);
      expect([path.slice(0, 12), await statusOf(method, path, token)]).toEqual([path.slice(0, 12), 404]);
      expect([path.slice(0, 12), await statusOf("DELETE", path, token)]).toEqual([path.slice(0, 12), 405]);
    }
  });
});

describe("the HTTP parser's refusals have the same JSON body", () => {
  test("400: not HTTP", async () => {
    expectJsonProblem(await sendRaw("hello\r\n\r\n"), 400, "bad_request");
  });
  test("400: a method that does not exist", async () => {
    expectJsonProblem(await sendRaw("FETCH / HTTP/1.1\r\nHost: x\r\n\r\n"), 400, "bad_request");
  });
  test("400: both Content-Length and Transfer-Encoding", async () => {
    const answer = await sendRaw(
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    );
    expectJsonProblem(answer, 400, "bad_request");
  });
  test("400: two lengths", async () => {
    const answer = await sendRaw(
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    );
    expectJsonProblem(answer, 400, "bad_request");
  });
  test("431: headers too large", async () => {
    expectJsonProblem(
      await sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`),
      431,
      "headers_too_large",
    );
  });
  test("answers a request without Host like any other", async () => {
    expectJsonProblem(await sendRaw("GET /nothing HTTP/1.1\r\nConnection: close\r\n\r\n"), 404, "not_found");
  });
});

test.each(["*", "*healthz", "*/"])(
  "an address that starts with an asterisk (%s) is no page of ours: 400",
  async (path) => {
    const { status, json } = await api.ask({ path });
    expect([status, json]).toMatchObject([400, { error: { code: "bad_request" } }]);
  },
);
