import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { madeOnce } from "../../support/made-once.ts";
import { timed } from "../../support/set-up-times.ts";
import {
  installRequestTracker,
  type RequestTracker,
  type RequestTrackerNeeds,
  startRequestTracker,
} from "./request-tracker.ts";
import { type Seeded, seedRequestTracker } from "./seed.ts";

const sources = ["prepare.pl", "seed.ts", "seed-texts.ts", "site-config.ts"].map((name) =>
  readFileSync(join(import.meta.dirname, name), "utf8"),
);

const cacheFolder = () => {
  installRequestTracker();
  const packages = ["request-tracker5", "postgresql"];
  const versions = execFileSync("dpkg-query", ["-W", "-f", "${Version}\n", ...packages], {
    encoding: "utf8",
  });
  const hash = createHash("sha256")
    .update(JSON.stringify([versions, ...sources]))
    .digest("hex");
  return `/var/cache/portage-tests/request-tracker-${hash.slice(0, 16)}`;
};

/**
 * A real Request Tracker with realistic data. It is filled through its own interface once per machine, and each
 * further one starts with a copy.
 */
export const startSeededRequestTracker = async (
  needs: RequestTrackerNeeds = {},
): Promise<{ readonly tracker: RequestTracker; readonly seeded: Seeded }> => {
  const contents = await madeOnce(cacheFolder(), (aside) =>
    timed("Request Tracker's records", async () => {
      const tracker = await startRequestTracker();
      try {
        const made = await seedRequestTracker(tracker.url, tracker.token);
        writeFileSync(join(aside, "seeded.json"), JSON.stringify(made));
        await tracker.keepContents(aside);
      } finally {
        await tracker.stop();
      }
    }),
  );
  const seeded = JSON.parse(readFileSync(join(contents, "seeded.json"), "utf8")) as Seeded;
  return { tracker: await startRequestTracker({ ...needs, contents }), seeded };
};
