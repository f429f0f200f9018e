import { expect, test } from "vitest";
import { toSample, useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";

const ground = useWebhookFixture();

const bodies = (received: readonly { readonly body: string }[]) =>
  received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

test("an import's events arrive in order, each with all fields of the contract", async () => {
  const acme = await ground.partner();
  const { id, token } = await ground.newImport(acme);
  await ground.move(id, ...toSample);
  await ground.drive();
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
