import { expect, test } from "vitest";
import { toSample, useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";

const fixture = useWebhookFixture();

const bodies = (received: readonly { readonly body: string }[]) =>
  received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

test("an import's events arrive in order, each with all fields of the contract", async () => {
  const acme = await fixture.partner();
  const { id, token } = await fixture.newImport(acme);
  await fixture.move(id, ...toSample);
  await fixture.drive();
  const got = bodies(acme.got());
  expect(got.map((body) => [body["previous_status"], body["status"]])).toEqual([
    ["Collecting credentials", "Waiting to start sample migration"],
    ["Waiting to start sample migration", "Sample migration in progress"],
    ["Sample migration in progress", "Sample migration completed"],
  ]);
  expect(got[2]).toEqual({
    event_id: expect.stringMatching(/^evt_/),
    type: "import.status_changed",
    id,
    token,
    status_code: "sample_completed",
    status: "Sample migration completed",
    previous_status: "Sample migration in progress",
    family: "helpdesk",
    reference: null,
    items: {},
    users: { source_tool: 0, destination_tool: 0, matched: 0 },
    timestamp: expect.any(Number),
  });
});
