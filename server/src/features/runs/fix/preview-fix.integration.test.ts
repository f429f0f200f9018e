import type { Connector } from "@portage/connector-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { compileMapping, mappingSchema, nothingKnown } from "../../mapping/index.ts";
import { createFixPreview } from "./preview-fix.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
const tools: StandIn[] = [];
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(async () => {
  await Promise.all(tools.map((tool) => tool.close()));
  await fixture.drop();
});

const none = { contacts: 0, organizations: 0, groups: 0, articles: 0, attachments: 0, comments: 0 };

const given = (lead: object) =>
  mappingSchema.parse({
    streams: {
      tickets: {
        fields: { lead },
        source: { lead: { label: "Lead", type: "person" } },
        destination: { who: { label: "Who", type: "text" } },
      },
    },
  });

test("shows a person in a field of text as the copy writes it, not by a name that only the screen knows", async () => {
  const source = await startStandIn({ counts: { ...none, users: 2, tickets: 1 }, hostile: false });
  const destination = await startStandIn({ seed: "there", upserts: false });
  tools.push(source, destination);
  source.source.get("tickets")?.update("1", { customFields: { lead: "1" } });
  const connector = standInConnector({ family: "helpdesk", paging: "keyset" }) as unknown as Connector<never>;
  const one = await fixture.begin({ connector, tool: source }, { connector, tool: destination });
  await one.run({ type: "full_started" });
  const preview = createFixPreview({
    db: fixture.db,
    openSide: one.openSide,
    destinationStreams: async ({ connector: of }, family) => of.destination?.[family] ?? [],
  });
  const after = given({ as: "field", to: "who" });
  const shown = await preview(
    {
      importId: one.importId,
      family: "helpdesk",
      stream: "tickets",
      ids: ["1"],
      before: given({ as: "nothing" }),
      after,
      names: { ...nothingKnown, nameOf: () => "Anna" },
    },
    AbortSignal.timeout(60_000),
  );
  if (shown.kind !== "preview") throw new Error(shown.kind);
  const ticket = source.source.get("tickets")?.find("1") as never;
  const stream = connector.source?.helpdesk?.find((each) => each.stream.name === "tickets")?.stream as never;
  expect(compileMapping(after).apply(stream, ticket).record.customFields).toEqual({});
  expect(shown.records.map(({ id, fields }) => ({ id, fields }))).toEqual([{ id: "1", fields: [] }]);
});
