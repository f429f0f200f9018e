import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findLeaks, findLeaksInFile, noteSecret } from "./leaked-secrets.ts";

const random = "Zk3vQ9xW1mB7sT5yR2nJ8pL4cF6hD0gA3eK7uV1iO5a";

test.each([
  ["a partner's token", `{"msg":"ptg_live_${random}"}`],
  ["a staff token", `ptg_staff_${random}`],
  ["a session", `__Host-portage-staff=ptg_session_${random}; Path=/`],
  ["an invitation", `/console/enrol#ptg_invitation_${random}`],
  ["a webhook's secret", `whsec_${random}=`],
  ["a customer's link", `"url":"/imports/imp_01k9q8x7w6v5u4t3s2r1q0p9n8/${random}"`],
  ["an Authorization header", `"authorization":"Basic ${Buffer.from(random).toString("base64")}"`],
  ["an Authorization header", `authorization: Bearer ${random}`],
])("%s is found by its form", (what, text) => {
  expect(findLeaks(text)).toEqual([what]);
});

test("words about secrets, and addresses without them, are none", () => {
  const line =
    "Authorization: Bearer ptg_staff_… is missing; /imports/imp_01k9q8x7w6v5u4t3s2r1q0p9n8/runs/pause; whsec_…; …abcd";
  expect(findLeaks(line)).toEqual([]);
});

test("what a process is given is found, also in a URL or in base64", () => {
  const env = {
    PORTAGE_KEYS: `k1:${random},k2:another+key/of/the/ring=`,
    SMTP_URL: "smtp://portage:p%40ssword-of-mail@127.0.0.1:1",
    OPERATOR_OIDC_CLIENT_SECRET: "client-secret",
    STRIPE_SECRET_KEY_FILE: "/run/secrets/stripe",
    RESTATE_IDENTITY_KEYS: "publickeyv1_1234567890",
  };
  expect(findLeaks(`key ${random}`, env)).toEqual(["PORTAGE_KEYS"]);
  expect(findLeaks("another%2Bkey%2Fof%2Fthe%2Fring%3D", env)).toEqual(["PORTAGE_KEYS"]);
  expect(findLeaks("p@ssword-of-mail", env)).toEqual(["SMTP_URL"]);
  expect(findLeaks(Buffer.from("client-secret").toString("base64"), env)).toEqual([
    "OPERATOR_OIDC_CLIENT_SECRET",
  ]);
  expect(findLeaks("/run/secrets/stripe publickeyv1_1234567890", env)).toEqual([]);
});

test("a secret that was noted is found from then on", () => {
  expect(findLeaks("a-tool's-own-token")).toEqual([]);
  noteSecret("a tool's token", "a-tool's-own-token");
  expect(findLeaks("a-tool's-own-token")).toEqual(["a tool's token"]);
});

test("a file is read in pieces, and nothing is lost between two of them", () => {
  const folder = mkdtempSync(join(tmpdir(), "portage-leaks-"));
  const file = join(folder, "api.log");
  const piece = 8 * 1024 * 1024;
  writeFileSync(file, `${".".repeat(piece - 20)}ptg_live_${random}`);
  expect(findLeaksInFile(file)).toEqual(["a partner's token"]);
  writeFileSync(file, ".".repeat(piece + 5));
  expect(findLeaksInFile(file)).toEqual([]);
  rmSync(folder, { recursive: true });
});
