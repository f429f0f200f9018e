import { destinationStreams } from "../../../features/connections/index.ts";
import { testSigner, testWebFolder } from "../../../../../test/support/fixtures.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../../../../test/contract/http-client.ts";
import { createPreflightFixture } from "../../../../../test/runs/preflight-fixture.ts";
import { createApi } from "../../../main/create-api.ts";
import { createLog } from "../../../platform/log.ts";

let fixture: Awaited<ReturnType<typeof createPreflightFixture>>;
beforeAll(async () => {
  fixture = await createPreflightFixture();
});
afterAll(() => fixture.drop());

test("the customer sees blocking findings, the partner only after they blocked a run, others nothing", async () => {
  const all = await fixture.begin({ destination: { plan: { tickets: 2 } } });
  const { db, sealer } = fixture;
  const lines: string[] = [];
  const api = createApi({
    db,
    sealer,
    registry: all.registry,
    outbound: all.outbound,
    toolChecks: new Map(),
    signer: testSigner(),
    openSide: all.openSide,
    destinationStreams,
    log: createLog("info", { write: (line) => void lines.push(line) }),
    publicUrl: "https://portage.example",
    signInFailuresPerMinute: 100,
    requestTimeoutMs: 30_000,
    trustedProxies: [],
    webFolder: testWebFolder,
  });
  const origin = await api.app.listen({ host: "127.0.0.1", port: 0 });
  try {
    const ask = (token: string) =>
      send(origin, {
        method: "GET",
        path: `/wizard/api/imports/${all.importId}/preflight`,
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await ask("wrong")).status).toBe(401);
    expect(all.source.stats().requests).toBe(0);
    const { status, json, text } = await ask(all.linkToken);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({
          code: "no_room",
          level: "blocks",
          side: "destination",
          stream: "tickets",
          count: 3,
          label: "Tickets",
          room: 2,
        }),
      ]),
      estimate: { records: 15, requests: { source: expect.any(Number) }, durationMs: null },
    });
    expect(text).not.toContain(all.source.token);
    expect(lines.join("")).not.toContain(all.source.token);
    // Reading the pre-flight changes nothing.
    expect((await all.state())?.status).toBe("in_preparation");
    expect(await all.warnings()).toEqual([]);

    await all.start();
    const shown = await send(origin, {
      method: "GET",
      path: `/api/v2.1/imports/${all.importId}`,
      token: fixture.partnerToken,
    });
    expect(shown.json).toMatchObject({
      warnings: expect.arrayContaining([
        expect.objectContaining({ code: "no_room", stream: "tickets", count: 3 }),
        expect.objectContaining({ code: "action_required" }),
      ]),
    });
  } finally {
    await api.app.close();
  }
});
