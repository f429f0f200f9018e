import { describe, expect, test } from "vitest";
import { createPortage, PortageError, type Portage } from "@portage/sdk";
import { bothBases, live, useApi } from "../../test/contract/api.ts";
import { readDocument } from "../../checks/sdk-wire.ts";

const api = useApi();
const body = {
  source_tool: "request-tracker",
  destination_username: "jo+1@acme.example",
  reference: "acme-42",
};

describe.each(bothBases.map(({ base }) => ({ mode: base === live ? "production" : "sandbox" }) as const))(
  "$mode",
  ({ mode }) => {
    const given = async () => createPortage({ url: api.origin, mode, token: (await api.partner()).token });

    test("every operation", async () => {
      const portage = await given();
      expect(await portage.tools.list()).toContainEqual({
        name: "request-tracker",
        slug: "request-tracker",
        label: "Request Tracker",
        families: ["helpdesk"],
      });
      expect(await portage.tools.list({ family: "helpdesk" })).not.toEqual([]);
      const { id, token, redirect_url } = await portage.imports.create(body);
      expect(redirect_url).toContain(token);
      expect(await portage.imports.show(id)).toMatchObject({ id, status: "Collecting credentials" });
      const listed = await portage.imports.list({ destination_username: "jo+1@acme.example" }).toArray();
      expect(listed.length).toBe(mode === "production" ? 1 : 2);
      expect(await portage.imports.oldLinks(id).toArray()).toEqual([]);
      for (const call of ["report", "signedSummary"] as const)
        await expect(portage.imports[call](id)).rejects.toMatchObject({ code: "conflict", status: 409 });
      if (mode === "sandbox") {
        expect(await portage.imports.report("migration_completed")).toMatchObject({ adds_up: true });
        expect((await portage.imports.signedSummary("migration_completed")).jws).toMatch(/^[\w.-]+$/);
        const moved = portage.imports.oldLinks("migration_completed");
        expect((await moved.toArray()).map(({ old_id }) => old_id)).toEqual(["7", "12"]);
        const one = portage.imports.oldLinks("migration_completed", { address: "#7" });
        expect(await one.toArray()).toMatchObject([{ stream: "tickets", old_id: "7" }]);
      }
      expect(await portage.imports.acceptSponsorship(id)).toBeUndefined();
      expect(await portage.imports.rejectSponsorship(id)).toBeUndefined();
      expect(await portage.imports.cancel(id)).toBeUndefined();
      const types = (await portage.events.list().toArray()).map(({ type }) => type);
      expect(types).toEqual([mode === "production" ? "import.closed" : "import.status_changed"]);
      // Without a receiver there is no delivery; the sandbox shows two.
      const deliveries = await portage.webhookDeliveries.list().toArray();
      expect(deliveries.length).toBe(mode === "production" ? 0 : 2);
      const [sent] = deliveries;
      if (sent) expect(await portage.webhookDeliveries.replay(sent.event_id)).toBeUndefined();
    });

    test("an error names the wrong properties", async () => {
      const portage = await given();
      const error: unknown = await portage.imports
        .create({ source_tool: "nothing", start_full: "yes" as never })
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(PortageError);
      expect(error).toMatchObject({
        code: "validation_failed",
        status: 422,
        errors: { source_tool: ["is not supported"], start_full: ["must be true or false"] },
        message: "source_tool is not supported; start_full must be true or false",
      });
      expect(Object.keys((error as PortageError).errors)).toHaveLength(2);
      expect((error as PortageError).requestId).toMatch(/^[0-9a-f-]{36}$/);
    });

    test("fails for a missing import and an unknown token", async () => {
      const portage = await given();
      for (const call of ["show", "cancel", "acceptSponsorship", "rejectSponsorship"] as const)
        await expect(portage.imports[call]("imp_nothing")).rejects.toMatchObject({
          code: "not_found",
          status: 404,
        });
      const stranger = createPortage({ url: api.origin, mode, token: "ptg_live_nobody" });
      await expect(stranger.tools.list()).rejects.toMatchObject({ code: "unauthorized", status: 401 });
    });
  },
);

test("has a method for every operation of the OpenAPI document, and no others", async () => {
  const called: string[] = [];
  const portage = createPortage({
    url: "https://portage.example/here/",
    token: "t",
    fetch: async (url, init) => {
      if (typeof url !== "string") throw new TypeError();
      called.push(`${init?.method?.toLowerCase()} ${new URL(url).pathname.replace("/here/api/v2.1", "")}`);
      return new Response("[]");
    },
  });
  await portage.tools.list();
  await portage.imports.create(body);
  await portage.imports.list({ destination_username: "jo" }).toArray();
  for (const call of ["show", "acceptSponsorship", "rejectSponsorship", "reissueLink", "cancel"] as const)
    await portage.imports[call]("imp_1");
  await portage.imports.report("imp_1");
  await portage.imports.signedSummary("imp_1");
  await portage.imports.oldLinks("imp_1").toArray();
  await portage.events.list().toArray();
  await portage.webhookEndpoint.set({ url: "https://acme.example" });
  for (const call of ["show", "test", "rotateSecret", "enable"] as const)
    await portage.webhookEndpoint[call]();
  await portage.webhookDeliveries.list().toArray();
  await portage.webhookDeliveries.replay("imp_1");
  const wanted = Object.entries(readDocument().paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replace("{id}", "imp_1")}`),
  );
  expect(called.toSorted()).toEqual(wanted.toSorted());
  expect(Object.values(portage).flatMap((group: object) => Object.keys(group))).toHaveLength(called.length);
});

test("the list of imports without a filter fails before any request, and says what it needs", () => {
  const portage = createPortage({
    url: "https://portage.example",
    token: "t",
    fetch: () => {
      throw new Error("a request was sent");
    },
  });
  const list = portage.imports.list as (query?: unknown) => unknown;
  for (const query of [undefined, null, {}, { limit: 5 }, { destination_username: null }, "jo@acme.example"])
    expect(() => list(query)).toThrow(/^imports\.list needs a filter, such as \{ destination_username \}: /);
});

describe("lists", () => {
  const filled = async (count: number) => {
    const { token } = await api.partner();
    const portage = createPortage({ url: api.origin, token });
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push((await portage.imports.create(body)).id);
    return { portage, ids };
  };

  test("lists imports page by page, newest first, each once", async () => {
    const { portage, ids } = await filled(5);
    const seen: string[] = [];
    for await (const { id } of portage.imports.list({ destination_username: "JO+1@acme.example", limit: 2 }))
      seen.push(id);
    expect(seen).toEqual(ids.toReversed());
    expect(await portage.imports.list({ destination_username: "unknown" }).toArray()).toEqual([]);
    expect(await portage.imports.list({ destination_username: "jo 1@acme.example" }).toArray()).toEqual([]);
  });

  test("lists events page by page, oldest first, and resumes after the last one", async () => {
    const { portage, ids } = await filled(4);
    for (const id of ids) await portage.imports.cancel(id);
    const all = await portage.events.list({ limit: 2 }).toArray();
    expect(all.map(({ id }) => id)).toEqual(ids);
    const rest = await portage.events.list({ after: all[1]?.event_id, limit: 1 }).toArray();
    expect(rest).toEqual(all.slice(2));
    await expect(portage.events.list({ after: "x" }).toArray()).rejects.toMatchObject({
      errors: { after: ["is not an event_id"] },
    });
  });

  test("fetches no more pages when the caller stops; ends a list that loops", async () => {
    let asked = 0;
    const circle = (portage: (options: { fetch: typeof fetch }) => Portage) =>
      portage({
        fetch: async () => {
          asked += 1;
          return new Response("[{}]", {
            headers: { link: '<https://evil.example/imports?cursor=a&limit=1>; rel="next"' },
          });
        },
      });
    const portage = circle(({ fetch }) =>
      createPortage({ url: "https://portage.example", token: "t", fetch }),
    );
    const list = portage.imports.list({ destination_username: "jo", limit: 1 });
    for await (const _ of list) break;
    expect(asked).toBe(1);
    expect(await list.toArray()).toHaveLength(2);
  });

  test("lists the sandbox's one event once, with any page size", async () => {
    const { token } = await api.partner();
    const portage = createPortage({ url: api.origin, token, mode: "sandbox" });
    expect(await portage.events.list({ limit: 1 }).toArray()).toHaveLength(1);
  });
});

test("waits instead of failing when calls exceed the rate limit", async () => {
  const { token } = await api.partner();
  const portage = createPortage({ url: api.origin, token, retryDelayMs: 200 });
  const answers = await Promise.all(Array.from({ length: 14 }, () => portage.tools.list()));
  expect(answers).toHaveLength(14);
  const hurried = createPortage({ url: api.origin, token, retries: 0 });
  const errors = await Promise.allSettled(Array.from({ length: 14 }, () => hurried.tools.list()));
  const refused = errors.flatMap((each) => (each.status === "rejected" ? [each.reason as PortageError] : []));
  expect(refused.length).toBeGreaterThan(0);
  for (const { code, retryAfterMs } of refused) {
    expect(code).toBe("rate_limited");
    expect(retryAfterMs).toBeGreaterThanOrEqual(1000);
  }
});

test("neither an error nor the printed client contains the token or the destination's token", async () => {
  const { token } = await api.partner();
  const portage = createPortage({ url: api.origin, token });
  const error = await portage.imports
    .create({ source_tool: "x", destination_token: "their-secret" })
    .catch((thrown: unknown) => thrown);
  const { inspect } = await import("node:util");
  const printed =
    inspect([portage, error], { depth: 9, showHidden: true }) + JSON.stringify([portage, error]);
  expect(printed).toContain("validation_failed");
  expect(printed).not.toContain(token);
  expect(printed).not.toContain(btoa(`${token}:`));
  expect(printed).not.toContain("their-secret");
});

test("the simulator has its own URL", async () => {
  let asked = "";
  const portage = createPortage({
    url: "https://portage.example",
    mode: "simulator",
    token: "t",
    fetch: async (url) => {
      asked = url as string;
      return new Response("[]");
    },
  });
  await portage.tools.list({ family: "crm" });
  expect(asked).toBe("https://portage.example/api/simulator/tools?family=crm");
});

describe("refuses wrong arguments", () => {
  test.each([
    ["no address", { url: "portage.example" }],
    ["http of another machine", { url: "http://portage.example" }],
    ["another scheme", { url: "ftp://127.0.0.1" }],
    ["an address with the version", { url: "https://portage.example/api/v2.1" }],
    ["an unknown mode", { mode: "test" as never }],
    ["no token", { token: "" }],
    ["a token with a colon", { token: "a:b" }],
    ["a token with a line break", { token: "a\n" }],
    ["a missing token", { token: undefined as never }],
  ])("%s", (_, wrong) => {
    expect(() => createPortage({ url: "https://portage.example", token: "t", ...wrong })).toThrow(TypeError);
  });

  test.each(["http://127.0.0.1:3000", "http://localhost", "http://[::1]:1", "https://portage.example/base/"])(
    "but accepts %s",
    (url) => {
      expect(createPortage({ url, token: "t" }).tools).toBeDefined();
    },
  );

  test("but accepts http with allowHttp", () => {
    expect(createPortage({ url: "http://portage", token: "t", allowHttp: true }).tools).toBeDefined();
  });

  test.each(["", ".", "..", undefined as never])("the id %j", async (id) => {
    const portage = createPortage({
      url: "https://portage.example",
      token: "t",
      fetch: async () => new Response("{}"),
    });
    await expect(portage.imports.show(id)).rejects.toThrow(TypeError);
  });

  test.each(["", "  ", "k".repeat(256), "ключ", "a\nb"])("the idempotency key %j", async (idempotencyKey) => {
    const portage = createPortage({
      url: "https://portage.example",
      token: "t",
      fetch: async () => new Response("{}"),
    });
    await expect(portage.imports.create(body, { idempotencyKey })).rejects.toThrow(TypeError);
  });
});

test("the caller's own idempotency key applies across several calls", async () => {
  const { token } = await api.partner();
  const portage = createPortage({ url: api.origin, token });
  const first = await portage.imports.create(body, { idempotencyKey: "order 42" });
  expect(await portage.imports.create(body, { idempotencyKey: "order 42" })).toEqual(first);
  expect(await portage.imports.create(body)).not.toEqual(first);
  await expect(
    portage.imports.create({ ...body, reference: "x" }, { idempotencyKey: "order 42" }),
  ).rejects.toMatchObject({ errors: { base: ["This idempotency key was used with another body."] } });
});
