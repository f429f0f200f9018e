import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { timed } from "../support/set-up-times.ts";

/** The production build of the pages, made once for all tests. WIZARD_BUILT=1 uses the existing one. */
const setup = async (): Promise<void> => {
  if (process.env["WIZARD_BUILT"] === "1") return;
  const root = join(import.meta.dirname, "../..");
  await timed("pages built", async () =>
    execFileSync("npm", ["run", "build:web"], {
      cwd: root,
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  process.env["WIZARD_BUILT"] = "1"; // for the other project that needs it
};

export default setup;
