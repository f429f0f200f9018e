import type { FamilyRecord } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import { type RunWizard, useRunWizard } from "../../../../../test/support/run-wizard.ts";

const wizard = useRunWizard();
const counts = {
  users: 4,
  tickets: 30,
  comments: 20,
  contacts: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};
const begin = () => wizard.begin({ source: { counts } });

const gathered = async () => {
  const one = await begin();
  expect((await one.ask("POST", "/mapping/facts")).status).toBe(200);
  return one;
};

interface Shown {
  readonly revision: number;
  readonly facts: { readonly streams: { name: string; words: object }[] };
}

const shown = async (one: RunWizard) => (await one.ask("GET", "/mapping")).json as Shown;

describe("a preview", () => {
  const hostile = '<img src=x onerror=alert(1)></script><script>alert("2")</script>';

  test("shows each field before and after, as data, and writes nothing", async () => {
    const one = await begin();
    one.source.source.get("tickets")?.update("7", { subject: hostile } as Partial<FamilyRecord>);
    expect((await one.ask("POST", "/mapping/facts")).status).toBe(200);
    const { facts } = await shown(one);
    const before = one.destination.stats();
    const words = facts.streams.find(({ name }) => name === "tickets")?.words as {
      status: { word: string }[];
    };
    const choices = Object.fromEntries(words.status.map(({ word }) => [word, { to: "Elsewhere" }]));
    const mapping = { streams: { tickets: { words: { status: choices } } } };
    const previewed = await one.ask("POST", "/mapping/preview", { stream: "tickets", id: "7", mapping });
    expect(previewed).toMatchObject({
      status: 200,
      json: { stream: "tickets", id: "7", sourceUrl: `${one.source.url}/show/tickets/7`, shortened: [] },
    });
    expect(previewed.headers["content-type"]).toMatch(/^application\/json/);
    const { fields } = previewed.json as { fields: { field: string; before: unknown; after: unknown }[] };
    expect(fields).toContainEqual(expect.objectContaining({ field: "subject", before: hostile }));
    expect(fields).toContainEqual(
      expect.objectContaining({ field: "status", after: "Elsewhere", change: "matched" }),
    );
    // With the suggested mapping, and the first record.
    expect(await one.ask("POST", "/mapping/preview", { stream: "tickets" })).toMatchObject({
      status: 200,
      json: { id: "1" },
    });
    expect(one.destination.stats()).toEqual(before);
    expect((await shown(one)).revision).toBe(0);
  });

  test("steps through records, or finds one by its address", async () => {
    const one = await gathered();
    const ask = (body: object) => one.ask("POST", "/mapping/preview", body);
    expect(await ask({ stream: "tickets", at: 2 })).toMatchObject({ status: 200, json: { id: "3", of: 5 } });
    expect(await ask({ url: `${one.source.url}/show/contacts/1` })).toMatchObject({ status: 404 });
    expect(await ask({ url: `${one.source.url}/show/tickets/9` })).toMatchObject({
      status: 200,
      json: { stream: "tickets", id: "9", of: null },
    });
    for (const url of ["https://elsewhere.example/show/tickets/9", `${one.source.url}/show/nothing/9`, "x"])
      expect(await ask({ url }), url).toMatchObject({ status: 422, json: { url: [expect.any(String)] } });
    expect(await ask({ stream: "tickets", at: 5 })).toMatchObject({ status: 422 });
    expect(await ask({})).toMatchObject({ status: 422, json: { stream: [expect.any(String)] } });
  });

  test("truncates a long text", async () => {
    const one = await begin();
    one.source.source.get("tickets")?.update("7", { subject: "y".repeat(60_000) } as Partial<FamilyRecord>);
    await one.ask("POST", "/mapping/facts");
    const { json } = await one.ask("POST", "/mapping/preview", { stream: "tickets", id: "7" });
    const { fields, shortened } = json as {
      fields: { field: string; before: string }[];
      shortened: string[];
    };
    expect(shortened).toEqual(["subject"]);
    expect(fields.find(({ field }) => field === "subject")?.before).toHaveLength(50_000);
  });

  test("fails for missing records, and for tools that don't answer", async () => {
    const one = await gathered();
    const preview = (body: object) => one.ask("POST", "/mapping/preview", body);
    expect(await preview({ stream: "tickets", id: "999999" })).toMatchObject({ status: 404 });
    expect(await preview({ stream: "nothing" })).toMatchObject({
      status: 422,
      json: { stream: ["does not exist in the old tool"] },
    });
    expect(
      await preview({ stream: "tickets", mapping: { selection: { streams: ["comments"] } } }),
    ).toMatchObject({
      status: 422,
      json: { problems: [{ path: ["selection", "streams", "0"] }] },
    });
    one.source.revoke(one.source.token);
    expect(await preview({ stream: "tickets", id: "7" })).toMatchObject({ status: 409 });
    one.gone.add("source");
    expect(await preview({ stream: "tickets", id: "7" })).toMatchObject({
      status: 409,
      json: { error: { message: "Connect the old tool first." } },
    });
  });
});
