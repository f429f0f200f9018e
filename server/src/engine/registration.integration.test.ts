import { connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { type Context, service } from "@restatedev/restate-sdk";
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../test/support/engine-fixture.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { createRestateProcess, type RestateProcess } from "../../../test/support/restate-process.ts";
import { createLog } from "../platform/log.ts";
import { createAdmin } from "./admin.ts";
import { chunkService } from "./chunk-key.ts";
import { createEndpoint, type Endpoint } from "./endpoint.ts";
import { startRegistration } from "./registration.ts";

const otherKey = "publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f";
const log = createLog("silent");
let restate: RestateProcess;

beforeAll(async () => {
  restate = await createRestateProcess();
  await restate.start();
  return () => restate.remove();
});
afterEach(async () => {
  const admin = createAdmin(restate.adminUrl);
  for (const { id } of await admin.list()) await admin.remove(id);
});

interface Served {
  readonly uri: string;
  readonly port: number;
  readonly endpoint: Endpoint;
  /** Releases the chunk that waits. */
  readonly letGo: () => void;
}

const served = async (release: string, keys = [restate.identityKey], wantedPort = 0): Promise<Served> => {
  const gate = Promise.withResolvers<void>();
  const chunk = service({
    name: chunkService,
    handlers: {
      work: (ctx: Context, asked: { wait?: boolean }) =>
        ctx.run("step", async () => {
          if (asked.wait) await gate.promise;
          return release;
        }),
    },
    options: { retryPolicy: { maxAttempts: 3, initialInterval: 50, onMaxAttempts: "kill" } },
  });
  const endpoint = createEndpoint({ services: [chunk], identityKeys: keys, release, log });
  const port = await endpoint.listen("127.0.0.1", wantedPort);
  onTestFinished(() => endpoint.close());
  return { uri: `http://127.0.0.1:${port}/${release}`, port, endpoint, letGo: gate.resolve };
};

const register = (uri: string, silentLooks = 2) => {
  const registration = startRegistration({
    admin: createAdmin(restate.adminUrl),
    uri,
    log,
    everyMs: 100,
    silentLooks,
  });
  onTestFinished(() => registration.stop());
  return registration;
};

/** The release that gets a new chunk now. */
const ask = async (body: object = {}): Promise<string> => {
  const answer = await fetch(`${restate.ingressUrl}/Chunk/work`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.ok ? ((await answer.json()) as string) : `status ${answer.status}`;
};
const uris = async () => (await createAdmin(restate.adminUrl).list()).map(({ uri }) => uri).toSorted();

describe("a release", () => {
  test("registers and gets all new chunks; the previous one stays registered while it answers", async () => {
    const a = await served("a");
    const b = await served("b");
    const first = register(a.uri);
    await until("a is registered", async () => first.isRegistered());
    expect(await ask()).toBe("a");
    const second = register(b.uri);
    await until("b is registered", async () => second.isRegistered());
    expect(await ask()).toBe("b");
    await sleep(1_000); // many checks
    expect(await uris()).toEqual([a.uri, b.uri].toSorted());
    expect(await ask()).toBe("b");
  });

  test("becomes current again when it restarts after another release replaced it", async () => {
    const a = await served("a");
    const b = await served("b");
    for (const { uri } of [a, b]) {
      const registration = register(uri);
      await until("it is registered", async () => registration.isRegistered());
      await registration.stop();
    }
    expect(await ask()).toBe("b");
    const again = register(a.uri);
    await until("a is registered", async () => again.isRegistered());
    expect(await ask()).toBe("a");
  });

  test("that is gone is removed from the list, even while it is the current one", async () => {
    const a = await served("a");
    const b = await served("b");
    register(a.uri);
    await until("a gets the chunks", async () => (await ask()) === "a");
    const second = register(b.uri);
    await until("b gets the chunks", async () => (await ask()) === "b");
    await second.stop();
    b.endpoint.close();
    await until("b is gone", async () => (await uris()).join() === a.uri);
    expect(await ask()).toBe("a");
  });

  test("that does not answer, but has unfinished invocations, is kept until they end", async () => {
    const a = await served("a");
    const b = await served("b");
    const admin = createAdmin(restate.adminUrl);
    const { id } = await admin.register(a.uri);
    const slow = ask({ wait: true });
    await until("it is pinned", async () => (await admin.unfinished(id)) === 1);
    // Draining: running calls continue, new ones get no response.
    const drained = a.endpoint.drain();
    const looks: string[] = [];
    const registration = startRegistration({
      admin: {
        ...admin,
        reach: async (uri) => {
          const reached = await admin.reach(uri);
          looks.push(reached.kind);
          return reached;
        },
      },
      uri: b.uri,
      log,
      everyMs: 50,
      silentLooks: 2,
    });
    onTestFinished(() => registration.stop());
    await until("it was found silent", async () => looks.filter((kind) => kind === "silent").length >= 3);
    expect(await uris()).toEqual([a.uri, b.uri].toSorted());
    a.letGo();
    expect(await slow).toBe("a");
    await drained;
    await until("a is removed", async () => (await uris()).join() === b.uri);
  });

  test("registers again with a Restate that has lost its data, and waits for one that is down", async () => {
    const a = await served("a");
    const registration = register(a.uri);
    await until("a is registered", async () => registration.isRegistered());
    await restate.kill();
    await until("that is noticed", async () => !registration.isRegistered());
    restate.wipe();
    await restate.start();
    await until("a is registered again", async () => registration.isRegistered());
    expect(await ask()).toBe("a");
  });
});

describe("a worker refuses calls", () => {
  const get = async (port: number, path: string, headers: Record<string, string> = {}): Promise<number> => {
    const session = connect(`http://127.0.0.1:${port}`);
    onTestFinished(() => session.destroy());
    const stream = session.request({ ":path": path, ...headers });
    return new Promise((resolve, reject) => {
      stream.once("error", reject);
      stream.once("response", ({ ":status": status }) => resolve(status ?? 0));
    });
  };

  test("without Restate's signature", async () => {
    const { uri, port } = await served("a");
    expect(await get(port, "/a/discover")).toBe(401);
    expect(await get(port, "/a/invoke/Chunk/work", { "content-type": "application/json" })).toBe(401);
    const forged = { "x-restate-signature-scheme": "v1", "x-restate-jwt-v1": "e30.e30.e30" };
    expect(await get(port, "/a/discover", forged)).toBe(401);
    expect(await createAdmin(restate.adminUrl).reach(uri)).toMatchObject({ kind: "answers" });
  });

  test("of a Restate with another key", async () => {
    const { uri } = await served("a", [otherKey]);
    expect(await createAdmin(restate.adminUrl).reach(uri)).toEqual({ kind: "refuses" });
    const both = await served("b", [otherKey, restate.identityKey]);
    expect(await createAdmin(restate.adminUrl).reach(both.uri)).toMatchObject({ kind: "answers" });
  });

  test("for another release", async () => {
    const { port } = await served("a", []);
    expect(await get(port, "/discover")).toBe(404);
    expect(await get(port, "/b/discover")).toBe(404);
    expect(await createAdmin(restate.adminUrl).reach(`http://127.0.0.1:${port}/b`)).toMatchObject({
      kind: "silent",
    });
  });

  test("and an address without a worker counts as silent", async () => {
    const reached = await createAdmin(restate.adminUrl).reach(`http://127.0.0.1:${await freePort()}/a`);
    expect(reached).toMatchObject({ kind: "silent", why: expect.stringContaining("refused") as string });
  });
});
