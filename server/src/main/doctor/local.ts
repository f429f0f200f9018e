import { isLoopback } from "../../platform/is-loopback.ts";
import { Secret } from "../../platform/secret.ts";
import { createSealer } from "../../platform/seal.ts";
import { type Config, ConfigError, configNames, readPart } from "../config.ts";
import { type DoctorFinding, doctorOk, problem } from "./finding.ts";

export const oldestNode = "24.21.0";

/** Compares the numbers of two versions, such as 24.21.0. */
export const isAtLeast = (version: string, oldest: string): boolean =>
  version.localeCompare(oldest, "en", { numeric: true }) >= 0;

export const checkNode = (version: string): DoctorFinding =>
  isAtLeast(version, oldestNode)
    ? doctorOk("Node.js", version)
    : problem("Node.js", `${version} is too old`, `Install Node.js ${oldestNode} or newer.`);

/** A variable's value; undefined when it is missing or invalid, which checkConfiguration reports. */
export const readOne = <K extends keyof Config>(name: K, env: NodeJS.ProcessEnv): Config[K] | undefined => {
  try {
    return readPart([name], env)[name];
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
};

export const checkConfiguration = (
  env: NodeJS.ProcessEnv,
  names: readonly (keyof Config)[] = configNames,
): readonly DoctorFinding[] => {
  const part = "configuration";
  const problems = names.flatMap((name) => {
    try {
      readPart([name], env);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const [, line = error.message] = error.message.split("\n");
      return [
        problem(
          part,
          line.trim(),
          `Set ${name} in the environment; docs/operators/configuration.md lists every variable.`,
        ),
      ];
    }
  });
  return problems.length > 0 ? problems : [doctorOk(part, `${names.length} variables read`)];
};

/** `from`: where the keys come from, without anything secret. */
export const checkKeyRing = (env: NodeJS.ProcessEnv, from: string): readonly DoctorFinding[] => {
  const ring = readOne("PORTAGE_KEYS", env);
  if (!ring) return [];
  const sealer = createSealer(ring);
  const text = "what was sealed";
  const opened = sealer.openAlone("doctor", sealer.sealAlone("doctor", new Secret(text))).reveal();
  const names = ring.map(({ id }) => id);
  return opened === text
    ? [
        doctorOk(
          "key ring",
          `from ${from}; encrypts and decrypts with "${names[0]}"; ${names.length} in total`,
        ),
      ]
    : [problem("key ring", "can't decrypt its own value", "Create a new key: portage keys new")];
};

export const checkPublicUrl = (env: NodeJS.ProcessEnv): readonly DoctorFinding[] => {
  const publicUrl = readOne("PUBLIC_URL", env);
  if (publicUrl === undefined) return [];
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || isLoopback(hostname)
    ? [doctorOk("public address", publicUrl)]
    : [
        problem(
          "public address",
          `${publicUrl} is not https: tokens and customer links would travel unencrypted`,
          "Put a TLS proxy in front and set PUBLIC_URL to its https address.",
        ),
      ];
};
