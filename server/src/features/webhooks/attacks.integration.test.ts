import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  attackersNames,
  privateAddresses,
  refusedNames,
  refusedUrls,
} from "../../../../test/support/attack-forms.ts";
import { useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import { checkTarget, createOutbound } from "../../platform/outbound/index.ts";

const fixture = useWebhookFixture();
const resolve = async (name: string) => attackersNames[name] ?? Promise.reject(new Error("ENOTFOUND"));
const outbound = createOutbound({ resolve });

/** A service on every local address, which no webhook may reach. */
let victim: Server;
let port = 0;
let reached = 0;
beforeAll(async () => {
  victim = createServer((_, response) => void response.end("internal"));
  victim.on("connection", () => {
    reached += 1;
  });
  await new Promise<void>((listening) => {
    victim.listen(0, "::", listening);
  });
  ({ port } = victim.address() as AddressInfo);
});
afterAll(async () => {
  await outbound.close();
  victim.close();
});
beforeEach(() => {
  reached = 0;
});

/** Stores the URL without the check, sends an event to it and returns the attempt. */
const sendTo = async (url: string) => {
  const acme = await fixture.partner({ url });
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, { type: "cancelled" });
  await fixture.drive(fixture.webhooks({ outbound }));
  const [delivery] = await fixture.deliveries(acme.partner.id);
  return delivery?.attempts[0];
};

const expectRefused = async (url: string, code: string) => {
  await expect(checkTarget(url, { resolve })).rejects.toMatchObject({ code });
  expect(await sendTo(url)).toMatchObject({ status: null, error: code, answer: null });
  expect(reached).toBe(0);
};

describe("refused when the target is saved and when it is called", () => {
  test.each(privateAddresses)("%s: %s", async (_, host) => {
    await expectRefused(`https://${host}:${port}/hook`, "refused_address");
  });
  test.each(refusedNames)("%s: %s", async (name, code) => {
    await expectRefused(`https://${name}:${port}/hook`, code);
  });
  test.each(refusedUrls)("%.60s: %s", async (url, code) => {
    await expectRefused(url, code);
  });
});

test("a name that resolves to a private address only at the call is refused then", async () => {
  let asked = 0;
  const rebinding = createOutbound({
    resolve: async () => {
      asked += 1;
      return asked === 1 ? ["93.184.216.34"] : ["127.0.0.1"];
    },
  });
  const changing = async () => (asked++ === 0 ? ["93.184.216.34"] : ["127.0.0.1"]);
  await expect(checkTarget(`https://rebind.example:${port}/`, { resolve: changing })).resolves.toBeInstanceOf(
    URL,
  );
  const acme = await fixture.partner({ url: `https://rebind.example:${port}/` });
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, { type: "cancelled" });
  await fixture.drive(fixture.webhooks({ outbound: rebinding }));
  await rebinding.close();
  const [delivery] = await fixture.deliveries(acme.partner.id);
  expect(delivery?.attempts[0]).toMatchObject({ error: "refused_address" });
  expect(reached).toBe(0);
});

test("an exact host and port that the operator allows passes the check", async () => {
  const url = `http://127.0.0.1:${port}/hook`;
  await expect(checkTarget(url, { allow: [`127.0.0.1:${port}`] })).resolves.toMatchObject({ href: url });
  await expect(checkTarget(url, { allow: ["127.0.0.1:1"] })).rejects.toMatchObject({
    code: "refused_address",
  });
});
