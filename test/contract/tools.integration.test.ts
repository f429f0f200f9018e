import { describe, expect, test } from "vitest";
import { bothBases, live, useApi } from "./api.ts";

const api = useApi();
const redmine = { name: "redmine", slug: "redmine", label: "Redmine", families: ["projects", "helpdesk"] };
const requestTracker = {
  name: "request-tracker",
  slug: "request-tracker",
  label: "Request Tracker",
  families: ["helpdesk"],
};

describe.each(bothBases)("GET $base/tools", ({ base }) => {
  test.each([
    ["", [redmine, requestTracker]],
    ["?family=helpdesk", [redmine, requestTracker]],
    ["?family=projects", [redmine]],
    ["?family=crm", []],
    ["?other=1", [redmine, requestTracker]],
  ])("with %s", async (query, expected) => {
    const { token } = await api.partner();
    const { status, json } = await api.ask({ path: `${base}/tools${query}`, token });
    expect(status).toBe(200);
    expect(json).toEqual(expected);
  });

  test.each(["cooking", "", "Helpdesk", "helpdesk%20", "__proto__"])(
    "an unknown family (%s) is 422",
    async (family) => {
      const { token } = await api.partner();
      const { status, json } = await api.ask({ path: `${base}/tools?family=${family}`, token });
      expect(status).toBe(422);
      expect(json).toEqual({ family: ["must be one of helpdesk, projects, crm, content"] });
    },
  );
});

describe("lists only tools that fit this partner's destination", () => {
  test("which share a family with it", async () => {
    const { token } = await api.partner({ destinationTool: "request-tracker" });
    const { json } = await api.ask({ path: `${live}/tools`, token });
    expect(json).toEqual([{ ...redmine, families: ["helpdesk"] }, requestTracker]);
  });
  test("which the operator allows", async () => {
    const { token } = await api.partner({ allowedSourceTools: ["request-tracker"] });
    expect((await api.ask({ path: `${live}/tools`, token })).json).toEqual([requestTracker]);
  });
});
