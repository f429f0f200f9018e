import { afterAll, beforeAll, expect, test } from "vitest";
import { plain } from "../../../../../test/runs/kinds-fixture.ts";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { createChooseMapping } from "./choose-mapping.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const waitsFor = async (importId: string) => {
  const { rows } = await fixture.db.pool.query<{ side: string; about: string }>(
    `select r.waiting_for as side, w.stream as about from runs r join import_warnings w on w.import_id = r.import_id
     where r.import_id = $1 and r.state = 'waiting'`,
    [importId],
  );
  return rows;
};

test.each(["source", "destination"] as const)(
  "a key to the %s revoked before the first run: the run asks for that sign-in, not the other",
  async (side) => {
    const tools = {
      source: await startStandIn({ counts: { users: 3, tickets: 3 }, hostile: false }),
      destination: await startStandIn({ seed: "destination", upserts: false }),
    };
    const one = await fixture.begin(
      { connector: plain() as never, tool: tools.source },
      { connector: plain() as never, tool: tools.destination },
      { chooseMapping: createChooseMapping(fixture) },
    );
    await fixture.db.pool.query(
      `insert into connections (import_id, side, tool, state, settings, account_id, account_name, sign_in_name)
       select $1, side, 'stand-in', 'connected', '\\x00', 'account', 'Acme', 'kim'
       from unnest('{source,destination}'::text[]) side`,
      [one.importId],
    );
    tools[side].revoke(tools[side].token);
    await one.run({ type: "full_started" });
    expect(await waitsFor(one.importId)).toEqual([{ side, about: `${side}_sign_in` }]);
  },
  20_000,
);
