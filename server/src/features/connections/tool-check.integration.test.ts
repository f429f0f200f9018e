import { redmine } from "@portage/connectors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testRegistry } from "../../../../test/support/fixtures.ts";
import { openRedmineDoor, type RedmineDoor } from "../../../../test/support/redmine-door.ts";
import { createOutbound, type Outbound } from "../../platform/outbound/index.ts";
import { nothingGiven } from "./read-settings.ts";
import { createToolCheck, createToolChecks } from "./tool-check.ts";
import { createTrySettings } from "./try-settings.ts";

let door: RedmineDoor;
let outbound: Outbound;
beforeAll(async () => {
  door = await openRedmineDoor();
  outbound = createOutbound({ allow: [door.host] });
});
afterAll(async () => {
  await outbound.close();
  door.close();
});

const check = (token: string, through = outbound, url = door.url) =>
  createToolCheck(redmine, through)({ instanceUrl: url, token }, AbortSignal.timeout(5_000));

test("a valid key is accepted, with its account", async () => {
  expect(await check("right-key")).toEqual({
    kind: "accepted",
    account: { signInName: "jo", accountName: door.host, accountId: door.host },
  });
});

test("two instances under one host are two accounts", async () => {
  const idOf = async (path: string) => {
    const answer = await check("right-key", outbound, `${door.url}${path}`);
    return answer.kind === "accepted" ? answer.account.accountId : answer;
  };
  expect(await idOf("/sales")).toBe(`${door.host}/sales`);
  expect(await idOf("/support/")).toBe(`${door.host}/support`);
  expect(await idOf("/")).toBe(door.host);
});

test("a wrong key is refused with a plain message", async () => {
  expect(await check("wrong-key")).toMatchObject({
    kind: "refused",
    refusal: { code: "wrong_key", message: expect.stringMatching(/^Redmine .*\.$/) as string },
  });
});

test("a failing tool counts as unchecked", async () => {
  expect(await check("key-while-broken")).toMatchObject({
    kind: "unchecked",
    refusal: { code: "not_now" },
  });
});

test("a private address that the operator did not allow is refused, and never called", async () => {
  const guarded = createOutbound();
  const before = door.keys.length;
  expect(await check("right-key", guarded)).toMatchObject({ kind: "refused" });
  expect(await check("right-key", guarded, door.url.replace("http:", "https:"))).toMatchObject({
    kind: "refused",
  });
  expect(door.keys).toHaveLength(before);
  await guarded.close();
});

test("a tool that does not answer counts as unchecked after the timeout", async () => {
  const trySettings = createTrySettings(testRegistry(), createToolChecks(testRegistry(), outbound), {
    timeoutMs: 100,
  });
  const typed = { instanceUrl: door.url, token: "key-while-silent" };
  expect(await trySettings({ tool: "redmine", typed, given: nothingGiven })).toMatchObject({
    kind: "unchecked",
    refusal: { code: "unreachable", message: `We could not reach Redmine at ${door.host}.` },
  });
  const deaf = createTrySettings(testRegistry(), new Map([["redmine", () => new Promise(() => {})]]), {
    timeoutMs: 50,
  });
  expect((await deaf({ tool: "redmine", typed, given: nothingGiven })).kind).toBe("unchecked");
});
