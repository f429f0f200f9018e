import { expect, test } from "vitest";
import { failure, httpFor, manifestOf, plain, serve } from "../../test/local-tool.ts";
import { createTestIo } from "../test-io.ts";

test("renews the refused token, not a newer one that arrived meanwhile", async () => {
  let current = "first";
  const spent: string[] = [];
  let letGo: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { base } = await serve(async (response, { headers, url }) => {
    if (url === "/slow" && headers.authorization === "Bearer first") await held;
    response.writeHead(headers.authorization === "Bearer second" ? 200 : 401).end("done");
  });
  const { http } = createTestIo({
    manifest: {
      ...manifestOf(),
      auth: {
        kind: "oauth2",
        authorizationUrl: () => base,
        tokenUrl: () => base,
        scopes: { read: [], write: [] },
        refreshTokens: "single-use",
        pkce: true,
      },
    },
    settings: { instanceUrl: base, token: "" },
    transport: plain,
    tokens: {
      current: async () => current,
      refresh: async (token) => {
        spent.push(token);
        current = "second";
        return current;
      },
    },
  });
  const slow = http.send({ url: "slow" });
  expect((await http.send({ url: "quick" })).text).toBe("done");
  letGo();
  expect((await slow).text).toBe("done");
  expect(spent).toEqual(["first", "first"]);
});

test("a file host that refuses a link does not invalidate the sign-in", async () => {
  const files = await serve((response) => response.writeHead(401).end());
  const { base } = await serve((response) => response.writeHead(302, { location: files.base }).end());
  const error = await failure(httpFor(base, { files: [files.base] }).send({ url: "x" }));
  expect(error).toMatchObject({ recovery: "skip-record", status: 401 });
  const refusing = await serve((response) => response.writeHead(401).end());
  expect(await failure(httpFor(refusing.base).send({ url: "x" }))).toMatchObject({ recovery: "reauthorize" });
});
