import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { signatureHeaders } from "./signing.ts";

const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const newer = `whsec_${Buffer.from("fedcba9876543210fedcba9876543210").toString("base64")}`;
const content = '{"subject":"Grüße 👋"}';
const now = () => Math.floor(Date.now() / 1000);

test("a Standard Webhooks library accepts the signature, and rejects any other text, time or secret", () => {
  const headers = signatureHeaders({ secrets: [secret], id: "call_1", timestampSeconds: now(), content });
  const webhook = new Webhook(secret);
  expect(webhook.verify(content, headers)).toEqual(JSON.parse(content));
  expect(() => webhook.verify(`${content} `, headers)).toThrow();
  expect(() => webhook.verify(content, { ...headers, "webhook-timestamp": String(now() + 1) })).toThrow();
  expect(() => webhook.verify(content, { ...headers, "webhook-id": "call_2" })).toThrow();
  expect(() => new Webhook(newer).verify(content, headers)).toThrow();
});

test("the classic signature covers only the text, with the whole secret as its key", () => {
  const headers = signatureHeaders({ secrets: [secret], id: "call_1", timestampSeconds: 1, content });
  expect(headers["x-authorization-content-sha256"]).toBe(
    createHmac("sha256", secret).update(content).digest("hex"),
  );
});

test("during a rotation both secrets sign, and the classic header stays with the old one", () => {
  const both = signatureHeaders({ secrets: [secret, newer], id: "e", timestampSeconds: now(), content });
  for (const each of [secret, newer]) expect(new Webhook(each).verify(content, both)).toBeTruthy();
  const old = signatureHeaders({ secrets: [secret], id: "e", timestampSeconds: now(), content });
  expect(both["x-authorization-content-sha256"]).toBe(old["x-authorization-content-sha256"]);
});

test("uses an imported secret without the prefix as it is", () => {
  const headers = signatureHeaders({ secrets: ["old one"], id: "e", timestampSeconds: 5, content });
  const expected = createHmac("sha256", "old one").update(`e.5.${content}`).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
});
