import { redmine } from "@portage/connectors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Secret } from "../../platform/secret.ts";
import type { ChosenManifest } from "./choose-sign-in.ts";
import { givenSettings, nothingGiven, readSettings } from "./read-settings.ts";

const manifest = redmine.manifest as unknown as ChosenManifest;
const given = { ...nothingGiven, token: new Secret("partners-token") };

/** A multi-tenant tool: a typed name decides the host. */
const cloud = (hosts: (settings: { company: string; region: string }) => string): ChosenManifest =>
  ({
    ...manifest,
    settings: z.object({
      company: z.string().min(1),
      region: z.string().default("eu"),
      token: z.string().min(1),
      username: z.string().optional(),
    }),
    hosts: (settings: never) => ({ api: [hosts(settings)] }),
  }) as unknown as ChosenManifest;

describe("a token that the partner supplied", () => {
  test("never goes to a host that a typed setting decides", () => {
    const url = fc.constantFrom("https://a.example", "https://b.example", "https://c.example/redmine");
    fc.assert(
      fc.property(
        fc.record({ instanceUrl: fc.option(url), token: fc.option(fc.constant("partners-token")) }),
        fc.record(
          {
            instanceUrl: url,
            token: fc.constantFrom("typed", ""),
            textFormat: fc.constantFrom("markdown", "x"),
          },
          { requiredKeys: [] },
        ),
        (supplied, typed) => {
          const { token } = supplied;
          const all = { ...nothingGiven, ...supplied, token: token === null ? null : new Secret(token) };
          const read = readSettings(manifest, typed, all);
          if (read.kind === "invalid" || read.input["token"] !== "partners-token") return;
          expect(manifest.hosts(read.settings as never).api).toEqual([supplied.instanceUrl]);
        },
      ),
    );
  });

  test.each([
    ["by name", cloud(({ company }) => `https://${company}.cloud.example`), ["token"]],
    ["by a copy", cloud((settings) => `https://${{ ...settings }.company}.cloud.example`), ["token"]],
    ["by what is there", cloud((settings) => ("company" in settings ? "https://a.example" : "")), ["token"]],
    ["not at all", cloud(() => "https://api.cloud.example"), []],
    ["by a default only", cloud(({ region }) => `https://${region}.cloud.example`), []],
  ])("a typed company decides the host %s", (_, tool, wrong) => {
    const read = readSettings(tool, { company: "acme" }, given);
    expect(Object.keys(read.kind === "invalid" ? read.errors : {})).toEqual(wrong);
    expect(readSettings(tool, { company: "acme", token: "typed" }, given).kind).toBe("valid");
  });

  test("is not passed to a tool that has no such setting", () => {
    const tool = { ...manifest, settings: z.object({ instanceUrl: z.url() }) } as unknown as ChosenManifest;
    expect(givenSettings(tool, { ...given, username: "jo" })).toEqual({});
  });
});

test("typed values are trimmed, and only known settings are used", () => {
  const read = readSettings(
    manifest,
    { instanceUrl: " https://a.example ", token: "\tkey\n", more: "x", constructor: "y" },
    nothingGiven,
  );
  expect(read).toMatchObject({ settings: { instanceUrl: "https://a.example", token: "key" } });
  expect(read.kind === "valid" && read.input).toEqual({ instanceUrl: "https://a.example", token: "key" });
});
