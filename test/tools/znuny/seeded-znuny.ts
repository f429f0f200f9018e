import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { query } from "../../journeys/moves/dump-tables.ts";
import { madeOnce } from "../../support/made-once.ts";
import { timed } from "../../support/set-up-times.ts";
import { seedTexts } from "./seed-texts.ts";
import { installZnuny, startZnuny, type ZnunyNeeds, type ZnunyServer, znunyVersion } from "./znuny-server.ts";

export interface SeededZnuny {
  /** Keyed by what makes each worth checking. */
  readonly tickets: Readonly<Record<string, string>>;
  readonly agents: Readonly<Record<string, string>>;
  readonly queues: Readonly<Record<string, string>>;
}

const sources = ["prepare.pl", "web-service.yml", "config.ts", "seed.pl", "seed-texts.ts"].map((name) =>
  readFileSync(join(import.meta.dirname, name), "utf8"),
);

const cacheFolder = () => {
  installZnuny();
  const postgres = execFileSync("dpkg-query", ["-W", "-f", "${Version}", "postgresql"], { encoding: "utf8" });
  const hash = createHash("sha256")
    .update(JSON.stringify([znunyVersion(), postgres, ...sources]))
    .digest("hex");
  return `/var/cache/portage-tests/znuny-${hash.slice(0, 16)}`;
};

const seed = async (server: ZnunyServer): Promise<string> => {
  const script = readFileSync(join(import.meta.dirname, "seed.pl"), "utf8");
  return server.perl(`${script}\n__DATA__\n${JSON.stringify(seedTexts)}\n`);
};

/** A real Znuny with realistic data. It is filled once per machine, and each further one starts with a copy. */
export const startSeededZnuny = async (
  needs: ZnunyNeeds = {},
): Promise<{ readonly znuny: ZnunyServer; readonly seeded: SeededZnuny }> => {
  const contents = await madeOnce(cacheFolder(), (aside) =>
    timed("Znuny's records", async () => {
      const znuny = await startZnuny();
      try {
        writeFileSync(join(aside, "seeded.json"), await seed(znuny));
        await znuny.keepContents(aside);
      } finally {
        await znuny.stop();
      }
    }),
  );
  const seeded = JSON.parse(readFileSync(join(contents, "seeded.json"), "utf8")) as SeededZnuny;
  return { znuny: await startZnuny({ ...needs, contents }), seeded };
};

/**
 * Removes most of the 520 tickets of one second: only the limit of a search needs so many, and a test that reads all records
 * several times waits for each of them.
 */
export const keepFewOfOneSecond = async ({ database }: ZnunyServer): Promise<void> => {
  const most = "select id from ticket where title like 'Imported %' order by id offset 30";
  await query(database, `delete from ticket_history where ticket_id in (${most})`);
  await query(database, `delete from ticket where id in (${most})`);
};
