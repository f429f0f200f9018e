import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import { deliveryErrorTexts } from "./error-texts.ts";

const fixture = useWebhookFixture();
const page = readFileSync(join(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8");

type ReadWebhook = (
  secret: string,
  body: Buffer,
  signature: string | undefined,
) => { event_id: string } | null;
let folder = "";
let readWebhook: ReadWebhook;
beforeAll(async () => {
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
  folder = mkdtempSync(join(tmpdir(), "portage-receiver-"));
  const file = join(folder, "receiver.ts");
  writeFileSync(file, code);
  ({ readWebhook } = (await import(file)) as { readWebhook: ReadWebhook });
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the receiver on the page accepts what Portage sends, and nothing altered or unsigned", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, { type: "cancelled" });
  await fixture.drive();
  const [received] = acme.got();
  if (!received) throw new Error("Nothing was received.");
  const signature = received.headers["x-authorization-content-sha256"];
  const body = Buffer.from(received.body);
  expect(readWebhook(acme.secret, body, signature)?.event_id).toBe(received.headers["webhook-id"]);
  expect(readWebhook(acme.secret, Buffer.from(`${received.body} `), signature)).toBeNull();
  expect(readWebhook(`${acme.secret}x`, body, signature)).toBeNull();
  expect(readWebhook(acme.secret, body, undefined)).toBeNull();
});

test("the page lists every error code", () => {
  const table = page.slice(page.indexOf("| `error` |"));
  for (const code of Object.keys(deliveryErrorTexts)) expect(table).toContain(`\`${code}\``);
});
