import { z } from "zod";
import { isDatabaseUrl } from "../platform/database-hosts.ts";
import { isLoopback } from "../platform/is-loopback.ts";
import { isWildcard, readAllowances } from "../platform/outbound/index.ts";
import type { KeyRing } from "../platform/seal.ts";
import { readKeySource } from "./keys/key-source.ts";
import { withSecretFiles } from "./secret-files.ts";

export const keyBytes = 32;
export const keyIdPattern = /^[a-z0-9-]{1,32}$/;
/** A public key as Restate writes it: base58. */
const identityKeyPattern = /^publickeyv1_[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const keyRing = z
  .string({
    error:
      'is missing: set it to the output of "portage keys new", or set PORTAGE_KEYS_FILE or PORTAGE_KEYS_COMMAND',
  })
  .transform((value, context): KeyRing => {
    const ring = value.split(",").map((entry) => {
      const split = entry.indexOf(":");
      return { id: entry.slice(0, split).trim(), key: Buffer.from(entry.slice(split + 1), "base64") };
    });
    if (ring.some(({ id, key }) => !keyIdPattern.test(id) || key.length !== keyBytes))
      context.addIssue({
        code: "custom",
        message: `must be "id:key", the key ${keyBytes} bytes in base64, separated by commas`,
      });
    const names = ring.map(({ id }) => id);
    const twice = names.find((id, index) => names.indexOf(id) !== index);
    if (twice !== undefined)
      context.addIssue({ code: "custom", message: `has two keys with the id "${twice}": give each its own` });
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

/** The names of OpenTelemetry's specification. */
const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const httpUrl = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://portage.example.com" })
  .transform((url) => url.replace(/\/+$/, ""));

/** An address without a display name: mails show the partner's name. */
const mailFrom = z.email("must be an address such as moves@portage.example.com").max(254);

/** Each measurement gets an address of its own: `local+token@domain`. */
const canaryAddress = z
  .email("must be an address such as canary@portage.example.com")
  .refine((address) => !address.includes("+"), "must be an address without a plus: we add one");

const smtpUrl = z.url({
  protocol: /^smtps?$/,
  hostname: /./,
  error: "must be an address such as smtp://user:password@mail.example.com:587, or smtps://",
});

/** Checks the prefix, so that the operator can't swap the two secrets. The error never quotes the value. */
const stripeSecret = (start: string, form: RegExp) =>
  z.string().regex(form, `must be what Stripe shows, beginning with ${start}`).optional();

const isAllowances = (entries: readonly string[]) => {
  try {
    readAllowances(entries);
    return true;
  } catch {
    return false;
  }
};

/** Every environment variable with its default. */
const allowances = list.refine(
  isAllowances,
  "must be exact hosts and ports, such as redmine.internal:3000, separated by commas",
);

const environment = z.object({
  DATABASE_URL: z
    .string({ error: "is missing: set it to postgres://user:password@host:5432/portage" })
    .min(1)
    .refine(
      isDatabaseUrl,
      "must name a primary, or several hosts to find it among: postgres://user:password@host1,host2/portage",
    ),
  PORTAGE_RUNTIME_ROLE: z.string().optional(),
  PORTAGE_KEYS: keyRing,
  PORTAGE_KEYS_FILE: z.string().optional(),
  PORTAGE_KEYS_COMMAND: z.string().optional(),
  PUBLIC_URL: httpUrl,
  WEB_FOLDER: z.string().default("web/dist"),
  DOWNLOADS_FOLDER: z.string().default("dist/downloads"),
  SITE_FOLDER: z.string().default("site/dist"),
  HOST: z.string().default("127.0.0.1"),
  PORT: wholeNumber(3000, 0, 65_535),
  OPERATOR_HOST: z.string().default("127.0.0.1"),
  OPERATOR_PORT: z.coerce.number({ error: "must be a number" }).int().min(0).max(65_535).optional(),
  OPERATOR_URL: httpUrl.optional(),
  // As the provider spells it: one with a slash at its end is another issuer.
  OPERATOR_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: "must be an address such as https://id.acme.example" })
    .optional(),
  OPERATOR_OIDC_CLIENT_ID: z.string().min(1).optional(),
  OPERATOR_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OPERATOR_OIDC_LABEL: z.string().min(1).default("Single sign-on"),
  OPERATOR_OIDC_ROLES_CLAIM: z.string().min(1).default("roles"),
  OPERATOR_OIDC_ROLES: list,
  PORTAGE_OPERATOR_URL: httpUrl.optional(),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
  DATABASE_POOL_SIZE: wholeNumber(10, 1, 200),
  STATEMENT_TIMEOUT_MS: wholeNumber(3_000, 100, 600_000),
  REQUEST_TIMEOUT_MS: wholeNumber(30_000, 100, 600_000),
  SHUTDOWN_DELAY_MS: wholeNumber(3_000, 0, 120_000),
  SIGN_IN_FAILURES_PER_MINUTE: wholeNumber(60, 1, 1_000_000),
  CONNECT_ATTEMPTS_PER_MINUTE: wholeNumber(30, 1, 1_000_000),
  TRUSTED_PROXIES: list,
  PORTAGE_CONNECTORS: list,
  UPLOADS: z.enum(["postgres", "s3"], { error: "must be postgres or s3" }).default("postgres"),
  S3_URL: httpUrl.optional(),
  S3_REGION: z.string().min(1).default("us-east-1"),
  S3_BUCKET: z.string().min(1).optional(),
  S3_PREFIX: z.string().default("portage/"),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  OUTBOUND_ALLOW: allowances,
  WEBHOOK_ALLOW: allowances,
  RESTATE_INGRESS_URL: httpUrl.default("http://127.0.0.1:8080"),
  RESTATE_ADMIN_URL: httpUrl.default("http://127.0.0.1:9070"),
  RESTATE_IDENTITY_KEYS: list.refine(
    (keys) => keys.every((key) => identityKeyPattern.test(key)),
    'must be the output of "portage restate key", separated by commas',
  ),
  WORKER_HOST: z.string().default("127.0.0.1"),
  WORKER_PORT: wholeNumber(9080, 0, 65_535),
  WORKER_HEALTH_PORT: wholeNumber(9081, 0, 65_535),
  WORKER_URL: httpUrl.optional(),
  WORKER_PROCESSES: wholeNumber(1, 1, 64),
  WORKER_CONCURRENCY: wholeNumber(64, 1, 10_000),
  LARGE_ANSWERS_MB: wholeNumber(128, 64, 100_000),
  RUN_PARTITIONS: wholeNumber(8, 1, 64),
  RUN_LEASE_MS: wholeNumber(60_000, 1_000, 600_000),
  RUN_WRITE_MS: wholeNumber(25_000, 500, 300_000),
  METRICS_HOST: z.string().default("127.0.0.1"),
  METRICS_PORT: z.coerce.number({ error: "must be a number" }).int().min(0).max(65_535).optional(),
  METRICS_INTERVAL_MS: wholeNumber(15_000, 100, 600_000),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(samplerNames, { error: `must be one of ${samplerNames.join(", ")}` })
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number({ error: "must be a number" }).min(0).max(1).default(1),
  WEBHOOK_CONCURRENCY: wholeNumber(512, 1, 10_000),
  WEBHOOK_PARTNER_CONCURRENCY: wholeNumber(16, 1, 1_000),
  WEBHOOK_TIME_SCALE: z.coerce.number({ error: "must be a number" }).min(0.0001).max(1).default(1),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailFrom.optional(),
  CANARY_ADDRESS: canaryAddress.optional(),
  CANARY_SMTP_PORT: z.coerce.number({ error: "must be a number" }).int().min(0).max(65_535).optional(),
  CANARY_WAIT_SECONDS: wholeNumber(60, 0, 3_600),
  PAYMENTS: z.enum(["stripe", "manual", "none"], { error: "must be stripe, manual or none" }).default("none"),
  STRIPE_SECRET_KEY: stripeSecret("sk_ or rk_", /^[sr]k_\S{8,}$/),
  STRIPE_WEBHOOK_SECRET: stripeSecret("whsec_", /^whsec_\S{8,}$/),
  STRIPE_API_URL: httpUrl.optional(),
  STRIPE_AUTOMATIC_TAX: z.enum(["true", "false"], { error: "must be true or false" }).default("false"),
});

export type Config = z.infer<typeof environment>;

export class ConfigError extends Error {
  readonly code = "bad_configuration";
}

export const configSchemas = environment.shape;

export const configNames = Object.keys(environment.shape) as readonly (keyof Config)[];

/** Which of the lists allow this machine on any port. */
const allowsThisMachine = (parsed: unknown) =>
  (["OUTBOUND_ALLOW", "WEBHOOK_ALLOW"] as const).filter((name) =>
    ((parsed as Partial<Config> | undefined)?.[name] ?? []).some(isWildcard),
  );

const isOnLoopback = (url: string | undefined) => isLoopback(URL.parse(url ?? "")?.hostname ?? "");

const parse = <T>(schema: z.ZodObject<z.ZodRawShape> & z.ZodType<T>, env: NodeJS.ProcessEnv): T => {
  const names = Object.keys(schema.shape);
  const keys = names.includes("PORTAGE_KEYS") ? readKeySource(env) : { kind: "unset" as const };
  const files = withSecretFiles(keys.kind === "read" ? keys.env : env, names);
  const { given } = files;
  const problems = [...files.problems, ...(keys.kind === "problem" ? [keys.message] : [])];
  const parsed = schema.safeParse(given);
  const unread = (name: PropertyKey | undefined) =>
    problems.some((problem) => new RegExp(`^${String(name)}(_FILE|_COMMAND)? `).test(problem));
  const lines = [
    ...(parsed.error?.issues ?? [])
      .filter(({ path }) => !unread(path[0]))
      .map(({ path, message }) => `  ${path.join(".")} ${message}`),
    ...problems.map((problem) => `  ${problem}`),
    ...(isOnLoopback(given["PUBLIC_URL"]) ? [] : allowsThisMachine(parsed.data)).map(
      (name) =>
        `  ${name} may have any port (:*) only if PUBLIC_URL is on loopback: list exact hosts and ports`,
    ),
  ];
  if (parsed.success && lines.length === 0) return parsed.data;
  throw new ConfigError(`Invalid configuration:\n${lines.join("\n")}`);
};

/** Reads the environment and reports all mistakes at once, each with its fix. */
export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => parse(environment, env);

/** Reads only the named variables: a command must not fail because of a variable that it does not use. */
export const readPart = <K extends keyof Config>(
  names: readonly K[],
  env: NodeJS.ProcessEnv,
): Pick<Config, K> => {
  const wanted = Object.fromEntries(names.map((name) => [name, environment.shape[name]]));
  return parse(z.object(wanted), env) as unknown as Pick<Config, K>;
};
