import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { timed } from "../support/set-up-times.ts";

/** The documentation, built once for all tests. SITE_BUILT=1 uses the existing build. */
const setup = async (): Promise<void> => {
  if (process.env["SITE_BUILT"] === "1") return;
  await timed("documentation built", async () =>
    execFileSync("npm", ["run", "build:site"], {
      cwd: join(import.meta.dirname, "../.."),
      stdio: ["ignore", "inherit", "inherit"],
    }),
  );
};

export default setup;
