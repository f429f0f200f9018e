import type { Connector } from "@portage/connector-kit";
import { findSampleCoverage, listSampleResults } from "../../server/src/features/runs/index.ts";
import { standInConnector, type StandInConnectorOptions } from "../tools/stand-in/connector.ts";
import type { StandInOptions } from "../tools/stand-in/options.ts";
import { type StandIn, startStandIn } from "../tools/stand-in/stand-in.ts";
import { type BeginOptions, createRunsFixture } from "./runs-fixture.ts";

export const sampleCounts = {
  users: 5,
  organizations: 6,
  contacts: 30,
  groups: 3,
  tickets: 330,
  comments: 300,
  articles: 8,
  attachments: 40,
};

/** Imports between two stand-ins, right before their sample. */
export const createSampleFixture = async () => {
  const fixture = await createRunsFixture();
  const { db, sealer } = fixture;
  const tools: StandIn[] = [];

  const begin = async (
    given: Partial<StandInOptions> = {},
    connecting: Partial<StandInConnectorOptions> = {},
    options: BeginOptions = {},
    receiving: Partial<StandInOptions> = {},
    change = (connector: Connector) => connector,
  ) => {
    const source = await startStandIn({ counts: sampleCounts, largeText: 0, ...given });
    const destination = await startStandIn({ seed: "destination", upserts: false, ...receiving });
    tools.push(source, destination);
    const connector = standInConnector({
      family: "helpdesk",
      paging: "keyset",
      settles: "lookup",
      ...connecting,
    }) as unknown as Connector<never>;
    const one = await fixture.begin(
      { connector, tool: source },
      {
        connector: change(connector) as unknown as Connector<never>,
        tool: destination,
      },
      { status: "waiting_for_sample", ...options },
    );
    return {
      ...one,
      source,
      destination,
      sampled: async () => {
        const { rows } = await db.pool.query<{ stream: string; id: string; why: string }>(
          "select stream, source_id as id, why from sample_records where import_id = $1 order by 1, 2",
          [one.importId],
        );
        return rows;
      },
      results: async (stream: string) =>
        (await listSampleResults(db, sealer, one.importId, { stream, after: null, limit: 1_000 })).results,
      coverage: () => findSampleCoverage(db, sealer, one.importId),
      /** Changes the matching and runs the sample again. */
      again: async () => {
        await one.move({ type: "matching_changed" });
        await one.run({ type: "sample_started" });
      },
    };
  };
  return {
    db,
    sealer,
    begin,
    closeTools: async () => {
      for (const tool of tools.splice(0)) await tool.close();
    },
    drop: () => fixture.drop(),
  };
};

export const copiesIn = (tool: StandIn, stream: string) => [...tool.written(stream).all()];
