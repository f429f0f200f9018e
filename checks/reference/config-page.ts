import { z } from "zod";
import { configDescriptions } from "../../server/src/main/config-descriptions.ts";
import { type configNames, configSchemas } from "../../server/src/main/config.ts";
import { namesWithFile } from "../../server/src/main/secret-files.ts";

type Name = (typeof configNames)[number];

/** The sections of the page, in the order in which somebody who installs Portage needs them. */
const groups: Readonly<Record<string, readonly Name[]>> = {
  Database: ["DATABASE_URL", "PORTAGE_RUNTIME_ROLE", "DATABASE_POOL_SIZE", "STATEMENT_TIMEOUT_MS"],
  Keys: ["PORTAGE_KEYS", "PORTAGE_KEYS_FILE", "PORTAGE_KEYS_COMMAND"],
  "API and public address": [
    "PUBLIC_URL",
    "HOST",
    "PORT",
    "TRUSTED_PROXIES",
    "REQUEST_TIMEOUT_MS",
    "SHUTDOWN_DELAY_MS",
    "SIGN_IN_FAILURES_PER_MINUTE",
    "CONNECT_ATTEMPTS_PER_MINUTE",
    "WEB_FOLDER",
    "DOWNLOADS_FOLDER",
    "SITE_FOLDER",
  ],
  Restate: ["RESTATE_INGRESS_URL", "RESTATE_ADMIN_URL", "RESTATE_IDENTITY_KEYS"],
  Workers: [
    "WORKER_HOST",
    "WORKER_PORT",
    "WORKER_HEALTH_PORT",
    "WORKER_URL",
    "WORKER_PROCESSES",
    "WORKER_CONCURRENCY",
    "LARGE_ANSWERS_MB",
    "RUN_PARTITIONS",
    "RUN_LEASE_MS",
    "RUN_WRITE_MS",
  ],
  "Tools and outbound addresses": ["PORTAGE_CONNECTORS", "OUTBOUND_ALLOW", "WEBHOOK_ALLOW"],
  Webhooks: ["WEBHOOK_CONCURRENCY", "WEBHOOK_PARTNER_CONCURRENCY", "WEBHOOK_TIME_SCALE"],
  "Operator API and staff": [
    "OPERATOR_HOST",
    "OPERATOR_PORT",
    "OPERATOR_URL",
    "OPERATOR_OIDC_ISSUER",
    "OPERATOR_OIDC_CLIENT_ID",
    "OPERATOR_OIDC_CLIENT_SECRET",
    "OPERATOR_OIDC_LABEL",
    "OPERATOR_OIDC_ROLES_CLAIM",
    "OPERATOR_OIDC_ROLES",
    "PORTAGE_OPERATOR_URL",
  ],
  Mail: ["SMTP_URL", "MAIL_FROM", "CANARY_ADDRESS", "CANARY_SMTP_PORT", "CANARY_WAIT_SECONDS"],
  Payments: [
    "PAYMENTS",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "STRIPE_API_URL",
    "STRIPE_AUTOMATIC_TAX",
  ],
  Uploads: [
    "UPLOADS",
    "S3_URL",
    "S3_REGION",
    "S3_BUCKET",
    "S3_PREFIX",
    "S3_ACCESS_KEY_ID",
    "S3_SECRET_ACCESS_KEY",
  ],
  Observability: [
    "LOG_LEVEL",
    "METRICS_HOST",
    "METRICS_PORT",
    "METRICS_INTERVAL_MS",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_TRACES_SAMPLER",
    "OTEL_TRACES_SAMPLER_ARG",
  ],
};

const rowOf = (name: Name) =>
  `| \`${name}\` | ${defaultOf(name)} | ${valuesOf(name)} | ${configDescriptions[name]} |`;

const sectionOf = ([title, names]: readonly [string, readonly Name[]]) => `## ${title}

| variable | default | values | what it says |
| --- | --- | --- | --- |
${names.map(rowOf).join("\n")}
`;

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}

const boundsOf = (name: Name): Bounds =>
  z.toJSONSchema(configSchemas[name], { io: "input", unrepresentable: "any" }) as Bounds;

const defaultOf = (name: Name): string => {
  const parsed = configSchemas[name].safeParse(undefined);
  if (!parsed.success) return "required";
  const value: unknown = parsed.data;
  return value === undefined || (Array.isArray(value) && value.length === 0)
    ? "none"
    : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
};

const valuesOf = (name: Name): string => {
  const { minimum, maximum, enum: values } = boundsOf(name);
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  return minimum === undefined || maximum === undefined ? "" : `${minimum} to ${maximum}`;
};

/** docs/operators/configuration.md: every environment variable, from the schema that reads them. */
export const configPage = (): string => `# Configuration

Made from \`server/src/main/config.ts\` and \`config-descriptions.ts\` by \`npm run docs:generate\`: change these files, not this page.

Every process reads its environment once, at the start, and names all mistakes at once. An empty variable counts as not set. API
and workers read the same variables, so they can share one environment. \`deploy/.env.example\` has them for the compose file.

A secret need not be in the environment: set \`NAME_FILE\` to the path of a file that has it alone, instead of \`NAME\`. An empty file
counts as not set. This works for ${namesWithFile.map((name) => `\`${name}\``).join(", ")}.

${Object.entries(groups).map(sectionOf).join("\n")}
## In development

\`npm run dev\` also reads \`RESTATE_INGRESS_PORT\`, \`RESTATE_ADMIN_PORT\` and \`RESTATE_NODE_PORT\`; it replaces a taken port by a free
one.
`;
