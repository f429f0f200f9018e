import { z } from "zod";
import { readAllowances } from "../platform/outbound/index.ts";
import type { KeyRing } from "../platform/seal.ts";

export const keyBytes = 32;
export const keyIdPattern = /^[a-z0-9-]{1,32}$/;

const keyRing = z
  .string({
    error: 'is missing: set it to what "portage keys new" prints',
  })
  .transform((value, context): KeyRing => {
    const ring = value.split(",").map((entry) => {
      const split = entry.indexOf(":");
      return { id: entry.slice(0, split).trim(), key: Buffer.from(entry.slice(split + 1), "base64") };
    });
    if (ring.some(({ id, key }) => !keyIdPattern.test(id) || key.length !== keyBytes))
      context.addIssue({
        code: "custom",
        message: `must be "id:key", the key ${keyBytes} bytes in base64, several by comma`,
      });
    return ring as unknown as KeyRing;
  });

const wholeNumber = (fallback: number, min: number, max: number) =>
  z.coerce.number({ error: "must be a number" }).int().min(min).max(max).default(fallback);

const list = z
  .string()
  .default("")
  .transform((value) =>
    value
      .split(",")
      .map((entry) => entry.trim())
      .filter(Boolean),
  );

const httpUrl = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://portage.example.com" })
  .transform((url) => url.replace(/\/+$/, ""));

const isAllowances = (entries: readonly string[]) => {
  try {
    readAllowances(entries);
    return true;
  } catch {
    return false;
  }
};

/** Everything that the environment can say, and what holds when it says nothing. */
const environment = z.object({
  DATABASE_URL: z
    .string({ error: "is missing: set it to postgres://user:password@host:5432/portage" })
    .min(1),
  PORTAGE_KEYS: keyRing,
  PUBLIC_URL: httpUrl,
  HOST: z.string().default("127.0.0.1"),
  PORT: wholeNumber(3000, 0, 65_535),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  DATABASE_POOL_SIZE: wholeNumber(10, 1, 200),
  STATEMENT_TIMEOUT_MS: wholeNumber(3_000, 100, 600_000),
  REQUEST_TIMEOUT_MS: wholeNumber(30_000, 100, 600_000),
  SHUTDOWN_DELAY_MS: wholeNumber(3_000, 0, 120_000),
  SIGN_IN_FAILURES_PER_MINUTE: wholeNumber(60, 1, 1_000_000),
  TRUSTED_PROXIES: list,
  PORTAGE_CONNECTORS: list,
  OUTBOUND_ALLOW: list.refine(
    isAllowances,
    "must be exact hosts and ports, such as redmine.internal:3000, several by comma",
  ),
  RESTATE_INGRESS_URL: httpUrl.default("http://127.0.0.1:8080"),
  RESTATE_ADMIN_URL: httpUrl.default("http://127.0.0.1:9070"),
});

export type Config = z.infer<typeof environment>;

export class ConfigError extends Error {
  readonly code = "bad_configuration";
}

/** The name of every variable that is read. */
export const configNames = Object.keys(environment.shape) as readonly (keyof Config)[];

const parse = <T>(schema: z.ZodType<T>, env: NodeJS.ProcessEnv): T => {
  // An empty variable is one that nobody set: compose files and shells make them.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join(".")} ${message}`);
  throw new ConfigError(`The configuration is not complete:\n${lines.join("\n")}`);
};

/** Reads the environment once; every mistake is named at once, with its fix. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => parse(environment, env);

/** Reads the named variables alone: a command asks for what it uses, and nothing else can be in its way. */
export const readPart = <K extends keyof Config>(
  names: readonly K[],
  env: NodeJS.ProcessEnv,
): Pick<Config, K> => {
  const wanted = Object.fromEntries(names.map((name) => [name, environment.shape[name]]));
  return parse(z.object(wanted), env) as unknown as Pick<Config, K>;
};
