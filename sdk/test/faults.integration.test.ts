import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPortage, PortageError } from "@portage/sdk";
import { useApi } from "../../test/contract/api.ts";
import { type Fault, type FaultProxy, faults, startFaultProxy } from "./fault-proxy.ts";

const api = useApi();
let proxy: FaultProxy;
let forgetful: FaultProxy;
/** Nothing listens there any more. */
let closedUrl: string;
beforeAll(async () => {
  const closed = await startFaultProxy(api.origin);
  closedUrl = closed.url;
  await closed.close();
  proxy = await startFaultProxy(api.origin);
  forgetful = await startFaultProxy(api.origin, { dropKeys: true });
});
afterAll(async () => {
  await proxy.close();
  await forgetful.close();
});

const retries = 4;

const importsOf = async (partnerId: string) =>
  (await api.db.pool.query<{ id: string }>("select id from imports where partner_id = $1", [partnerId])).rows;

const createThrough = async (through: FaultProxy, plan: readonly Fault[]) => {
  const { token, partner } = await api.partner();
  // Long enough for a busy machine to answer; each silent fault costs this much.
  const portage = createPortage({ url: through.url, token, retries, retryDelayMs: 1, timeoutMs: 1_500 });
  through.plan(plan);
  const outcome = await portage.imports
    .create({ source_tool: "request-tracker" })
    .catch((error: unknown) => error);
  return { outcome, imports: await importsOf(partner.id), keys: through.keys };
};

// A silent fault costs its whole timeout.
const anyFault = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...faults.filter((fault) => fault !== "silence after")) },
  { weight: 1, arbitrary: fc.constant<Fault>("silence after") },
);

test("despite any faults, a call never creates two imports, and returns the one that it created", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyFault, { maxLength: retries + 2 }), async (plan) => {
      const { outcome, imports, keys } = await createThrough(proxy, plan);
      expect(new Set(keys).size).toBe(1);
      expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
      expect(keys).toHaveLength(Math.min(plan.length, retries) + 1);
      if (plan.length > retries) {
        expect(outcome).toBeInstanceOf(PortageError);
        expect(imports.length).toBeLessThanOrEqual(1);
      } else {
        expect(outcome).toMatchObject({ redirect_url: expect.any(String) });
        expect(imports).toEqual([{ id: (outcome as { id: string }).id }]);
      }
    }),
    { numRuns: 40, examples: [[["silence after", "reset after"]]] },
  );
}, 900_000);

test("without the idempotency key there are two imports, so the test above proves that the key works", async () => {
  const { imports } = await createThrough(forgetful, ["reset after"]);
  expect(imports).toHaveLength(2);
});

test("a cancellation whose answer was lost does not fail", async () => {
  const { token } = await api.partner();
  const portage = createPortage({ url: proxy.url, token, retryDelayMs: 1 });
  proxy.plan([]);
  const { id } = await portage.imports.create({ source_tool: "request-tracker" });
  proxy.plan(["reset after"]);
  await portage.imports.cancel(id);
  await expect(portage.imports.show(id)).rejects.toMatchObject({ code: "not_found" });
  await expect(portage.imports.cancel(id)).rejects.toMatchObject({ code: "not_found" });
});

/** Cancels an import that the API does not know, after a first attempt that this fetch makes. */
const cancelAfter = async (firstAttempt: typeof fetch) => {
  const { token } = await api.partner();
  let attempts = 0;
  const send: typeof fetch = (...request) => {
    attempts += 1;
    return (attempts === 1 ? firstAttempt : fetch)(...request);
  };
  const portage = createPortage({ url: proxy.url, token, retryDelayMs: 1, timeoutMs: 1_500, fetch: send });
  const id = `imp_${"0".repeat(26)}`;
  const outcome = await portage.imports.cancel(id).catch((error: unknown) => error);
  expect(attempts).toBe(2);
  return outcome;
};

const failsWith =
  (code: string | undefined): typeof fetch =>
  () =>
    Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) }));

const planned =
  (fault: Fault): typeof fetch =>
  (...request) => {
    proxy.plan([fault]);
    return fetch(...request);
  };

test.each<[string, typeof fetch]>([
  ["refused connection", (_, init) => fetch(closedUrl, init)],
  ["host that is unknown", failsWith("ENOTFOUND")],
  ["connection that took too long to make", failsWith("UND_ERR_CONNECT_TIMEOUT")],
  ["certificate that is not valid", failsWith("CERT_HAS_EXPIRED")],
  ["429", planned("429 before")],
  ["503", planned("503 before")],
])(
  "after a %s, which cancelled nothing, a cancellation that finds no import fails",
  async (_, firstAttempt) => {
    expect(await cancelAfter(firstAttempt)).toMatchObject({ code: "not_found" });
  },
);

test.each<[string, typeof fetch]>([
  ["time-out", planned("silence after")],
  ["reset", planned("reset after")],
  ["cut answer", planned("cut after")],
  ["failure of a runtime that gives no code", failsWith(undefined)],
  ["504 of a proxy", () => Promise.resolve(new Response(null, { status: 504 }))],
])(
  "after a %s, which may have cancelled it, a cancellation that finds no import is fine",
  async (_, firstAttempt) => {
    expect(await cancelAfter(firstAttempt)).toBeUndefined();
  },
);

test("retries decisions and reads too", async () => {
  const { token } = await api.partner();
  const portage = createPortage({ url: proxy.url, token, retryDelayMs: 1 });
  proxy.plan([]);
  const { id } = await portage.imports.create({ source_tool: "request-tracker" });
  proxy.plan(["reset after", "503 after"]);
  await portage.imports.acceptSponsorship(id);
  proxy.plan(["cut after", "429 before"]);
  expect(await portage.imports.show(id)).toMatchObject({ sponsorship: "accepted" });
});
