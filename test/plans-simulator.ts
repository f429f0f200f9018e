import { listSimulatedEvents } from "../server/src/features/simulator/index.ts";
import {
  deleteOldSimulations,
  listDue,
  listSimulations,
  removeBeyond,
} from "../server/src/features/simulator/store.ts";
import type { Database } from "../server/src/platform/db.ts";
import type { Sealer } from "../server/src/platform/seal.ts";

/** A query on a growing table, and the index that serves it. */
export type Question = [index: string, what: string, ask: (on: Database) => Promise<unknown>];

/** In addition to the existing partners. */
export const insertSimulations = async (db: Database): Promise<void> => {
  await db.pool.query(`insert into simulations (id, partner_id, scenario, payer, source_tool, destination_tool, family,
      username_key, link_token, state, turn_at)
    select 'sim_' || lpad(n::text, 26, '0'), 'prt_' || lpad((n % 200 + 1)::text, 26, '0'), 'happy', 'customer', 'redmine',
      'redmine', 'helpdesk', 'user' || n % 50, '', '{}', case when n % 10 = 0 then now() + n * interval '1 minute' end
    from generate_series(1, 20000) n`);
  await db.pool.query(`insert into simulation_events (id, partner_id, simulation_id, type, status)
    select 'evt_' || lpad((n + 50000)::text, 26, '0'), 'prt_' || lpad((n % 200 + 1)::text, 26, '0'),
      'sim_' || lpad(n::text, 26, '0'), 't', 's' from generate_series(1, 20000) n`);
};

export const simulatorQuestions = (partner: string, sealer: Sealer): Question[] => [
  ["simulations_due", "simulations to go on with", (on) => listDue(on, null, 50)],
  [
    "simulations_by_partner",
    "simulations of a username",
    (on) => listSimulations(on, sealer, partner, { usernames: ["user7"] }, { limit: 10, before: null }),
  ],
  [
    "simulations_by_partner",
    "capacity for a simulation",
    (on) => on.sql.transaction().execute((tx) => removeBeyond(tx, partner, 1_000)),
  ],
  [
    "simulations_pkey",
    "old simulations",
    (on) => deleteOldSimulations(on, { olderThanMs: 1, limit: 10 }, 5_000),
  ],
  [
    "simulation_events_by_simulation",
    "their events and deliveries",
    (on) => deleteOldSimulations(on, { olderThanMs: 1, limit: 10 }),
  ],
  [
    "simulation_events_by_partner",
    "a partner's simulated events",
    (on) => listSimulatedEvents(on, sealer, partner, { after: "evt_00000000000000000000050207", limit: 100 }),
  ],
];
