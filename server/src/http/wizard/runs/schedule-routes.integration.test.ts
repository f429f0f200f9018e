import type { WizardSchedule } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { type RunWizard, useRunWizard } from "../../../../../test/support/run-wizard.ts";

const wizard = useRunWizard();
const begin = () => wizard.begin({ source: { counts: { users: 1, tickets: 2 } } });

const hourMs = 3_600_000;
/** On the clocks of UTC. */
const local = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 16);
const plan = (one: RunWizard, body: object) => one.ask("PUT", "/schedule", body);
const planned = async (one: RunWizard) =>
  ((await one.ask("GET", "/schedule")).json as WizardSchedule).schedule;

test("a start is planned, changed and cancelled", async () => {
  const one = await begin();
  expect(await planned(one)).toBeNull();
  const first = local(5 * hourMs);
  expect((await plan(one, { local: first, timeZone: "UTC" })).status).toBe(200);
  expect(await planned(one)).toEqual({
    startsAt: `${first}:00.000Z`,
    timeZone: "UTC",
    state: "planned",
    missedBecause: null,
  });
  // New York is four or five hours behind.
  expect((await plan(one, { local: first, timeZone: "America/New_York" })).status).toBe(200);
  const later = Date.parse((await planned(one))?.startsAt ?? "") - Date.parse(`${first}:00Z`);
  expect([4 * hourMs, 5 * hourMs]).toContain(later);
  expect(await one.ask("DELETE", "/schedule")).toMatchObject({ status: 200, json: { schedule: null } });
  expect((await one.ask("DELETE", "/schedule")).status).toBe(409);
});

test.each([
  ["in the past", { local: local(-hourMs), timeZone: "UTC" }, { local: ["must be in the future"] }],
  [
    "too far ahead",
    { local: local(15 * 24 * hourMs), timeZone: "UTC" },
    { local: ["must be within the next 14 days"] },
  ],
  ["without a time", { local: "tonight", timeZone: "UTC" }, { local: ["must be a date and a time"] }],
  ["nowhere", { local: local(hourMs), timeZone: "Mars/Olympus" }, { timeZone: ["must be a time zone"] }],
])("a start %s is refused", async (_, body, errors) => {
  const one = await begin();
  expect(await plan(one, body)).toMatchObject({ status: 422, json: errors });
  expect(await planned(one)).toBeNull();
});

test("only a move that could start now can be planned", async () => {
  const one = await begin();
  expect((await one.ask("POST", "/runs", { kind: "full" })).status).toBe(200);
  expect(await plan(one, { local: local(hourMs), timeZone: "UTC" })).toMatchObject({
    status: 409,
    json: { error: { message: "A copy is already running." } },
  });
});
