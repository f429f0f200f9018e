import { createRequire } from "node:module";
import { join } from "node:path";
import type { ChildPlan } from "./children.ts";
import { devFolder } from "./kept.ts";
import type { Ports } from "./ports.ts";

/** The program inside the npm package for this machine: started directly, so that its pid is the one that we end. */
const restateBinary = (): string => {
  const packageFile = createRequire(import.meta.url).resolve("@restatedev/restate-server/package.json");
  const platform = `${process.platform}-${process.arch}`;
  try {
    return createRequire(packageFile).resolve(`@restatedev/restate-server-${platform}/bin/restate-server`);
  } catch (cause) {
    throw new Error(
      `There is no Restate server for ${platform} in node_modules. Run npm ci with optional packages; Restate ships for Linux and macOS, x64 and arm64.`,
      { cause },
    );
  }
};

/** Restate on loopback alone, with its data in .dev, telling nobody. */
export const restatePlan = (ports: Ports, env: NodeJS.ProcessEnv): ChildPlan => ({
  name: "Restate",
  command: restateBinary(),
  args: ["--no-logo", "--base-dir", join(devFolder, "restate"), "--node-name", "dev"],
  env: {
    // Settings of another Restate on this machine must not leak into this one.
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("RESTATE_"))),
    RESTATE_CLUSTER_NAME: "portage-dev",
    RESTATE_LISTEN_MODE: "tcp",
    RESTATE_BIND_IP: "127.0.0.1",
    RESTATE_BIND_PORT: String(ports.restateNode),
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ports.restateIngress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${ports.restateAdmin}`,
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_LOG_DISABLE_ANSI_CODES: "true",
    DO_NOT_TRACK: "1",
  },
  logFile: join(devFolder, "restate.log"),
});
