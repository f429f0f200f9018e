import { expect, test } from "vitest";
import { readCanaryMailbox } from "./canaries.ts";
import { readConfig } from "./config.ts";

const required = {
  DATABASE_URL: "postgres://127.0.0.1/portage",
  PORTAGE_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
  PUBLIC_URL: "https://portage.example.com",
};
const read = (env: Record<string, string>) => readCanaryMailbox(readConfig({ ...required, ...env }));
const CANARY_ADDRESS = "canary@portage.example.com";

test("there is no mailbox by default, and its two variables belong together", () => {
  expect(read({})).toBeNull();
  expect(read({ CANARY_ADDRESS, CANARY_SMTP_PORT: "2525" })).toEqual({ address: CANARY_ADDRESS, port: 2525 });
  for (const env of [{ CANARY_ADDRESS }, { CANARY_SMTP_PORT: "2525" }] as Record<string, string>[])
    expect(() => read(env)).toThrow("CANARY_ADDRESS and CANARY_SMTP_PORT belong together");
});

test.each(["canary+1@portage.example.com", "canary", "a@b@c"])("refuses the address %s", (address) => {
  expect(() => read({ CANARY_ADDRESS: address, CANARY_SMTP_PORT: "2525" })).toThrow("CANARY_ADDRESS must be");
});
