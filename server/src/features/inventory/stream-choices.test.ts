import { freshdesk, redmine } from "@portage/connectors";
import { expect, test } from "vitest";
import type { Connector } from "@portage/connector-kit";
import { streamChoices } from "./stream-choices.ts";

const leftOutOf = ({ manifest, source }: Connector<never>) => {
  const counts = (source?.helpdesk ?? []).map((from) => ({ from: from as never, look: null }));
  const offered = new Set(["tickets", "organizations"]);
  return Object.fromEntries(
    streamChoices("helpdesk", counts, false, offered, manifest).map(({ name, leavesOut }) => [
      name,
      leavesOut,
    ]),
  );
};

test("the choice names what a source leaves out of a kind that it reads", () => {
  const { tickets, organizations } = leftOutOf(freshdesk as never);
  expect(tickets).toMatch(/Archived tickets are not moved/);
  expect(organizations).toBeNull();
});

test("a kind that a source does not read at all is left out as a whole", () => {
  expect(leftOutOf(redmine as never)).toMatchObject({ tickets: null, organizations: null });
});
