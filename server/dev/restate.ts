import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { newIdentityKey, publicIdentityKey } from "../src/platform/identity-key.ts";
import type { ChildPlan } from "./children.ts";
import type { Ports } from "./ports.ts";

/** The binary in this platform's npm package: started directly, so that its pid is the one that we stop. */
export const restateBinary = (): string => {
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

export interface RestateNode {
  readonly cluster: string;
  readonly node: string;
  /** Its data folder. */
  readonly folder: string;
  readonly ports: Pick<Ports, "restateIngress" | "restateAdmin" | "restateNode">;
  /** Further settings by their environment variables, such as RESTATE_DEFAULT_REPLICATION. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The rest of its environment. */
  readonly env: NodeJS.ProcessEnv;
}

/** The command that starts Restate on loopback only, without telemetry. */
export const restateServer = ({ cluster, node, folder, ports, settings, env }: RestateNode) => ({
  command: restateBinary(),
  args: ["--no-logo", "--base-dir", folder, "--node-name", node],
  env: {
    // Settings of another Restate on this machine must not leak into this one.
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("RESTATE_"))),
    RESTATE_CLUSTER_NAME: cluster,
    RESTATE_LISTEN_MODE: "tcp",
    RESTATE_BIND_IP: "127.0.0.1",
    RESTATE_BIND_PORT: String(ports.restateNode),
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ports.restateIngress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${ports.restateAdmin}`,
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_LOG_DISABLE_ANSI_CODES: "true",
    DO_NOT_TRACK: "1",
    ...settings,
  },
});

const identityFile = (folder: string) => join(folder, "restate-identity.pem");

/** The public key that Restate signs its calls with; the key is created once. */
export const restateIdentity = (folder: string): string => {
  const file = identityFile(folder);
  if (!existsSync(file)) writeFileSync(file, newIdentityKey(), { mode: 0o600 });
  return publicIdentityKey(readFileSync(file, "utf8"));
};

/** A Restate with its data in a folder. */
export const restatePlan = (folder: string, ports: Ports): ChildPlan => ({
  name: "Restate",
  ...restateServer({
    cluster: "portage-dev",
    node: "dev",
    folder: join(folder, "restate"),
    ports,
    env: process.env,
    settings: { RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: identityFile(folder) },
  }),
  logFile: join(folder, "restate.log"),
});
