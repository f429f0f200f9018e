import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
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

  test.each(["OUTBOUND_ALLOW", "WEBHOOK_ALLOW"] as const)(
    "%s takes any port of this machine only on loopback",
    (name) => {
      const allow = { [name]: "127.0.0.1:*,redmine.internal:80" };
      const local = { ...required, ...allow, PUBLIC_URL: "http://127.0.0.1:3000" };
      expect(readConfig(local)[name]).toEqual(["127.0.0.1:*", "redmine.internal:80"]);
      const refused = new RegExp(`${name} may have any port .* only if PUBLIC_URL is on loopback`);
      expect(() => readConfig({ ...required, ...allow })).toThrow(refused);
      expect(() => readConfig({ ...local, PUBLIC_URL: "http://127.0.0.1.portage.example" })).toThrow(refused);
      // The command line reads single variables.
      expect(() => readPart([name], { ...required, ...allow })).toThrow(refused);
      expect(() => readPart([name], allow)).toThrow(refused);
    },
  );

  test("readPart ignores all other variables", () => {
    expect(readPart(["PORT"], { PORT: "8000", DATABASE_POOL_SIZE: "none" })).toEqual({ PORT: 8000 });
    expect(() => readPart(["DATABASE_URL"], {})).toThrow(/DATABASE_URL is missing/);
  });

  describe("a secret in a file", () => {
    const inFile = (text: string): string => {
      const folder = mkdtempSync(join(tmpdir(), "portage-secret-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, "secret"), text);
      return join(folder, "secret");
    };
    const { DATABASE_URL: url, ...others } = required;

    test("is read, without the line's end", () => {
      const env = { ...others, DATABASE_URL_FILE: inFile(`${url}\n`) };
      expect(readConfig(env).DATABASE_URL).toBe(url);
      expect(readPart(["DATABASE_URL"], env)).toEqual({ DATABASE_URL: url });
    });

    test("that is empty counts as unset, so that a file may wait for its secret", () => {
      expect(readConfig({ ...required, SMTP_URL_FILE: inFile("\n") }).SMTP_URL).toBeUndefined();
      expect(() => readConfig({ ...others, DATABASE_URL_FILE: inFile("") })).toThrow(
        /DATABASE_URL is missing/,
      );
    });

    test("that is given twice or can't be read is one mistake, which quotes no secret", () => {
      const both = { ...required, DATABASE_URL_FILE: inFile("postgres://u:hush@h/p") };
      expect(() => readConfig(both)).toThrow(
        /^[^]*\n {2}DATABASE_URL and DATABASE_URL_FILE are both set: set one$/,
      );
      const missing = { ...others, DATABASE_URL_FILE: "/nowhere/url" };
      expect(() => readConfig(missing)).toThrow(
        /^[^\n]*\n {2}DATABASE_URL_FILE can't be read: ENOENT \/nowhere\/url$/,
      );
    });

    test("is only for secrets, and not read for a command that does not need it", () => {
      expect(readConfig({ ...required, PORT_FILE: inFile("8000") }).PORT).toBe(3000);
      expect(readPart(["PORT"], { PORT: "1", PORTAGE_KEYS_FILE: "/nowhere" })).toEqual({ PORT: 1 });
    });
  });
});
