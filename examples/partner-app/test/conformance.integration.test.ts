import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, expect, test } from "vitest";
import { checkDestination } from "../../../connectors/destination-protocol/check/check-destination.ts";
import { secret, startDesk } from "./running-desk.ts";

const transport = createPlainTransport();
const desk = await startDesk();
afterAll(async () => {
  await desk.close();
  await transport.close();
});

const countOf = (table: string) =>
  Number(desk.store.database.prepare(`select count(*) as n from ${table}`).get()?.n);

test("Ferry Desk passes every check of a destination, which leaves no records behind", async () => {
  const results = await checkDestination({
    url: desk.url,
    secret,
    transport,
    mails: async () => countOf("mails"),
  });
  // The protocol has a key for every record, so that no field has to hold it, and no log of messages. Nobody answers in Ferry Desk.
  expect(results.filter(({ verdict }) => verdict !== "passed")).toMatchObject([
    { name: "helpdesk/key-field", verdict: "skipped" },
    { name: "helpdesk/others", verdict: "skipped" },
    { name: "helpdesk/canaries", verdict: "skipped" },
  ]);
  expect(results.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["replayed", "at-once", "helpdesk/hostile", "helpdesk/silent", "clean-up"]),
  );
  for (const table of ["tickets", "comments", "contacts", "attachments", "articles", "groups"])
    expect([table, countOf(table)]).toEqual([table, 0]);
});
