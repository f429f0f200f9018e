import { createServer, type Server } from "node:http";
import { redmine } from "@portage/connectors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOutbound, type Outbound } from "../../platform/outbound/index.ts";
import { createToolCheck } from "./tool-check.ts";

let server: Server;
let instanceUrl = "";
let outbound: Outbound;
beforeAll(async () => {
  server = createServer((request, response) => {
    const key = request.headers["x-redmine-api-key"];
    response.setHeader("content-type", "application/json");
    if (key === "right")
      response.end(
        JSON.stringify({
          user: {
            id: 1,
            login: "jo",
            admin: true,
            firstname: "Jo",
            lastname: "Smith",
            mail: "jo@acme.example",
          },
        }),
      );
    else response.writeHead(key === "broken" ? 500 : 401).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { port: number };
  instanceUrl = `http://127.0.0.1:${port}`;
  outbound = createOutbound({ allow: [`127.0.0.1:${port}`] });
});
afterAll(async () => {
  await outbound.close();
  server.close();
});

const check = (token: string, through = outbound, url = instanceUrl) =>
  createToolCheck(redmine, through)({ instanceUrl: url, token }, AbortSignal.timeout(5_000));

test("a right key is accepted, with the name that it signs in as", async () => {
  expect(await check("right")).toEqual({ kind: "accepted", signInName: "jo" });
});

test("a wrong key is refused, in words for people", async () => {
  expect(await check("wrong")).toEqual({ kind: "refused", message: expect.stringMatching(/^Redmine .*\.$/) });
});

test("a tool that fails was not checked", async () => {
  await expect(check("broken")).rejects.toMatchObject({ recovery: "retry" });
  server.closeAllConnections();
});

test("a private address that the operator did not allow is refused, and never called", async () => {
  const guarded = createOutbound();
  expect(await check("right", guarded)).toMatchObject({ kind: "refused" });
  expect(await check("right", guarded, instanceUrl.replace("http:", "https:"))).toMatchObject({
    kind: "refused",
  });
  await guarded.close();
});
