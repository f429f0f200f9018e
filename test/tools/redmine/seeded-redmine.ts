import { readFileSync } from "node:fs";
import { join } from "node:path";
import { madeOnce } from "../../support/made-once.ts";
import { timed } from "../../support/set-up-times.ts";
import { cacheFolder } from "./prepared-database.ts";
import { keepContents, type RedmineOptions, type RedmineServer, startRedmine } from "./redmine-server.ts";
import { seedRedmine } from "./seed.ts";

const sources = ["prepare.rb", "seed.rb", "seed.ts", "seed-texts.ts"].map((name) =>
  readFileSync(join(import.meta.dirname, name), "utf8"),
);

/**
 * A real Redmine with realistic data. Filling it through its own interface takes longer than most tests, so it happens
 * once per machine, and each further one starts with a copy.
 */
export const startSeededRedmine = async (options: RedmineOptions = {}): Promise<RedmineServer> => {
  const name = cacheFolder("seeded", ...sources);
  const contents = await madeOnce(name, (aside) =>
    timed("Redmine's records", async () => {
      const server = await startRedmine();
      try {
        await seedRedmine(server);
        keepContents(server, aside);
      } finally {
        await server.stop();
      }
    }),
  );
  return startRedmine({ ...options, contents });
};
