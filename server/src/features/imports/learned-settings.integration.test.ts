import type { Manifest, OAuth2 } from "@portage/connector-kit";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { asConnector, useSignIn } from "../../../../test/support/signed-in.ts";
import { chooseSignIn, settingsForm } from "../connections/index.ts";
import { findConnection } from "../connections/store.ts";

interface Settings {
  readonly instanceUrl: string;
  readonly apiUrl?: string;
  readonly cloudId?: string;
}

const base = asConnector();
/** What the next sign-in teaches, and what it had to learn from. */
const lesson = { apiUrl: "", cloudId: "cloud-1" as unknown, extra: {} as object, answers: [] as unknown[] };

const manifest: Manifest<Settings> = {
  ...(base.manifest as Manifest<Settings>),
  settings: z.object({
    instanceUrl: z.url(),
    apiUrl: z.url().optional(),
    cloudId: z.string().max(20).optional(),
  }) as never,
  hosts: ({ instanceUrl, apiUrl = instanceUrl }) => ({ api: [apiUrl] }),
  auth: {
    ...(base.manifest.auth as OAuth2<Settings>),
    learns: {
      settings: ["apiUrl", "cloudId"],
      // A pattern and a fixed origin; tests run their tool at the fixed one.
      origins: ["https://*.acme.example", "http://127.0.0.1:9"],
      from: async ({ http }, answer) => {
        const { login } = (await http.send({ url: "me" })).json() as { login: string };
        lesson.answers.push({ ...answer, login });
        const { apiUrl, cloudId, extra } = lesson;
        return { apiUrl, cloudId, ...extra } as Partial<Settings>;
      },
    },
  },
};
const { parts, sealer, newImport, signIn, begin } = useSignIn({ connector: { ...base, manifest } });
beforeEach(() => {
  Object.assign(lesson, { apiUrl: parts.page.url, cloudId: "cloud-1", extra: {}, answers: [] });
});
const settingsOf = async (importId: string) =>
  (await findConnection(parts.db, sealer, { importId, side: "source" }))?.settings;

test("what a tool tells at the sign-in becomes settings, and no form asks for it", async () => {
  expect(Object.keys(settingsForm(chooseSignIn(manifest as Manifest, "oauth2")).properties)).toEqual([
    "instanceUrl",
  ]);
  const found = await newImport();
  expect((await signIn(found)).kind).toBe("connected");
  expect(await settingsOf(found.id)).toEqual({
    instanceUrl: parts.page.url,
    apiUrl: parts.page.url,
    cloudId: "cloud-1",
  });
  // It learned from the answer and from a call, but never got hold of the tokens.
  expect(lesson.answers).toEqual([
    { login: "jo", scope: "tickets:read", token_type: expect.any(String) as string, expires_in: 3_600 },
  ]);
});

test("a connector learns only what it declares", async () => {
  const found = await newImport();
  lesson.extra = { instanceUrl: "https://evil.example", more: 1 };
  expect((await signIn(found)).kind).toBe("connected");
  expect(await settingsOf(found.id)).toMatchObject({ instanceUrl: parts.page.url });
  expect(await settingsOf(found.id)).not.toHaveProperty("more");
});

test.each([
  "https://evil.example",
  "https://a.b.acme.example",
  "https://acme.example",
  "http://desk.acme.example",
  "https://desk.acme.example:8443",
  "https://desk.acme.example@evil.example",
  "http://169.254.169.254",
])("a sign-in that leads to %s connects nothing", async (apiUrl) => {
  const found = await newImport();
  lesson.apiUrl = apiUrl;
  expect(await signIn(found)).toMatchObject({
    kind: "unchecked",
    refusal: { message: "Acme Cloud did not tell us where your account is.", detail: "learned_settings" },
  });
  expect(await settingsOf(found.id)).toBeUndefined();
});

test("a sign-in may lead to an origin that the manifest names", async () => {
  const found = await newImport();
  lesson.apiUrl = "http://127.0.0.1:9";
  // Nothing listens there, but the tool may be asked.
  expect(await signIn(found)).toMatchObject({
    refusal: { detail: expect.not.stringMatching("learned") as string },
  });
});

test("what does not fit the schema connects nothing", async () => {
  const found = await newImport();
  lesson.cloudId = 12;
  expect(await signIn(found)).toMatchObject({ kind: "unchecked", refusal: { detail: "learned_settings" } });
  expect((await begin(found)).kind).toBe("go");
});
