import type { OperatorTool } from "@portage/contract/operator";
import { expect, test } from "vitest";
import { quotaUse, toolTrouble } from "./tool-state.ts";

const account = {
  account_id: "a",
  requests_last_minute: 0,
  requests_per_minute: null,
  wait_seconds: 0,
  circuit_open: false,
  refused_since: null,
  quotas: [],
};
const tool = (given: Partial<OperatorTool>): OperatorTool => ({
  name: "acme",
  label: "Acme",
  families: ["helpdesk"],
  roles: ["source"],
  enabled: true,
  accounts: [account],
  ...given,
});

test("a tool that fails is worse than one that refuses, and than one that is switched off", () => {
  const refused = { ...account, refused_since: "2026-11-15T08:00:00Z" };
  expect(toolTrouble(tool({}))).toBeNull();
  expect(toolTrouble(tool({ enabled: false }))).toBe("disabled");
  expect(toolTrouble(tool({ enabled: false, accounts: [refused] }))).toBe("refusing");
  expect(toolTrouble(tool({ accounts: [refused, { ...account, circuit_open: true }] }))).toBe("failing");
});

test("the fullest quota of any account counts", () => {
  const quota = (used: number, requests: number) => ({
    name: "60000",
    used,
    requests,
    per_seconds: 60,
    only: null,
    request_class: null,
    by_cost: false,
  });
  expect(quotaUse(tool({}))).toBeNull();
  expect(quotaUse(tool({ accounts: [{ ...account, quotas: [quota(1, 10), quota(0, 0)] }] }))).toBe(0.1);
  expect(
    quotaUse(
      tool({
        accounts: [
          { ...account, quotas: [quota(1, 10)] },
          { ...account, quotas: [quota(30, 10)] },
        ],
      }),
    ),
  ).toBe(1);
});
