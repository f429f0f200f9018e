import { Secret } from "../../platform/secret.ts";
import { createSealer } from "../../platform/seal.ts";
import { type Config, ConfigError, configNames, readPart } from "../config.ts";
import { type Finding, ok, problem } from "./finding.ts";

export const oldestNode = "24.21.0";

/** Compares the numbers of two versions, such as 24.21.0. */
export const isAtLeast = (version: string, oldest: string): boolean =>
  version.localeCompare(oldest, "en", { numeric: true }) >= 0;

export const checkNode = (version: string): Finding =>
  isAtLeast(version, oldestNode)
    ? ok("Node.js", version)
    : problem("Node.js", `${version} is too old`, `Install Node.js ${oldestNode} or newer.`);

/** A variable's value, or undefined when it is missing or wrong: the configuration's own finding says so. */
export const readOne = <K extends keyof Config>(name: K, env: NodeJS.ProcessEnv): Config[K] | undefined => {
  try {
    return readPart([name], env)[name];
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
};

export const checkConfiguration = (env: NodeJS.ProcessEnv): readonly Finding[] => {
  const part = "configuration";
  const problems = configNames.flatMap((name) => {
    try {
      readPart([name], env);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const [, line = error.message] = error.message.split("\n");
      return [problem(part, line.trim(), `Set ${name} in the environment; the README lists every variable.`)];
    }
  });
  return problems.length > 0 ? problems : [ok(part, `${configNames.length} variables read`)];
};

export const checkKeyRing = (env: NodeJS.ProcessEnv): readonly Finding[] => {
  const ring = readOne("PORTAGE_KEYS", env);
  if (!ring) return [];
  const sealer = createSealer(ring);
  const text = "what was sealed";
  const opened = sealer.openAlone("doctor", sealer.sealAlone("doctor", new Secret(text))).reveal();
  const names = ring.map(({ id }) => id);
  const twice = names.find((id, index) => names.indexOf(id) !== index);
  if (twice !== undefined)
    return [
      problem(
        "key ring",
        `two keys are called "${twice}": what one sealed is tried with the other`,
        "Give every key in PORTAGE_KEYS a name of its own.",
      ),
    ];
  return opened === text
    ? [ok("key ring", `seals with "${names[0]}" and opens it again; ${names.length} in all`)]
    : [problem("key ring", "does not open what it sealed", "Make a new key: portage keys new")];
};

export const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

export const checkPublicUrl = (env: NodeJS.ProcessEnv): readonly Finding[] => {
  const publicUrl = readOne("PUBLIC_URL", env);
  if (publicUrl === undefined) return [];
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || loopback.has(hostname)
    ? [ok("public address", publicUrl)]
    : [
        problem(
          "public address",
          `${publicUrl} is not https: tokens and customers' links would travel in the open`,
          "Put a proxy with a certificate in front and set PUBLIC_URL to its https address.",
        ),
      ];
};
