import { describe, expect, test } from "vitest";
import { readConfig, readPart } from "./config.ts";

const required = {
  DATABASE_URL: "postgres://127.0.0.1/portage",
  PORTAGE_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`,
  PUBLIC_URL: "https://portage.example.com/",
};

describe("the configuration", () => {
  test("reports all missing variables at once", () => {
    expect(() => readConfig({ PORT: "http", DATABASE_URL: "" })).toThrow(
      /DATABASE_URL is missing[^]*PORTAGE_KEYS is missing[^]*PUBLIC_URL must be[^]*PORT must be a number/,
    );
  });

  test.each(["k1", "k1:c2hvcnQ=", "K 1:AAAA", `${required.PORTAGE_KEYS},`])(
    "rejects the key ring %j",
    (ring) => {
      expect(() => readConfig({ ...required, PORTAGE_KEYS: ring })).toThrow(/PORTAGE_KEYS must be "id:key"/);
    },
  );

  test("this machine on any port is allowed only to a service on loopback", () => {
    const allow = { OUTBOUND_ALLOW: "127.0.0.1:*,redmine.internal:80" };
    const local = { ...required, ...allow, PUBLIC_URL: "http://127.0.0.1:3000" };
    expect(readConfig(local).OUTBOUND_ALLOW).toEqual(["127.0.0.1:*", "redmine.internal:80"]);
    const refused = /OUTBOUND_ALLOW may have any port .* only if PUBLIC_URL is on loopback/;
    expect(() => readConfig({ ...required, ...allow })).toThrow(refused);
    expect(() => readConfig({ ...local, PUBLIC_URL: "http://127.0.0.1.portage.example" })).toThrow(refused);
    // The command line reads single variables.
    expect(() => readPart(["OUTBOUND_ALLOW"], { ...required, ...allow })).toThrow(refused);
    expect(() => readPart(["OUTBOUND_ALLOW"], allow)).toThrow(refused);
  });

  test("readPart ignores all other variables", () => {
    expect(readPart(["PORT"], { PORT: "8000", DATABASE_POOL_SIZE: "none" })).toEqual({ PORT: 8000 });
    expect(() => readPart(["DATABASE_URL"], {})).toThrow(/DATABASE_URL is missing/);
  });
});
