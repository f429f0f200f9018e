import { runConformance } from "@portage/connector-kit/conformance";
import { expect, test } from "vitest";
import { createOutbound } from "../../../server/src/platform/outbound/index.ts";
import { standInSubject } from "./subject.ts";

test("the suite passes through the server's guarded client, with the tool's address allowed", async () => {
  const holder: { send?: ReturnType<typeof createOutbound>["send"] } = {};
  const { tool, subject } = await standInSubject({
    send: (request) => holder.send?.(request) ?? Promise.reject(),
  });
  const outbound = createOutbound({ allow: [new URL(tool.url).host] });
  holder.send = outbound.send;
  const results = await runConformance(subject);
  expect(results.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
  await outbound.close();
  await tool.close();
});

test("without the allowance no request reaches the tool", async () => {
  const outbound = createOutbound();
  const { subject, tool } = await standInSubject(outbound);
  const results = await runConformance({ ...subject, retry: { attempts: 1 } });
  expect(results.find(({ name }) => name === "check")).toMatchObject({
    verdict: "failed",
    why: "Stand-in is not at a public address.",
  });
  expect(tool.stats().requests).toBe(0);
  await Promise.all([outbound.close(), tool.close()]);
});
