import { z } from "zod";
import { configDescriptions } from "../../server/src/main/config-descriptions.ts";
import { configNames, configSchemas } from "../../server/src/main/config.ts";
import { namesWithFile } from "../../server/src/main/secret-files.ts";

type Name = (typeof configNames)[number];

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

| variable | default | values | what it says |
| --- | --- | --- | --- |
${configNames
  .map((name) => `| \`${name}\` | ${defaultOf(name)} | ${valuesOf(name)} | ${configDescriptions[name]} |`)
  .join("\n")}

\`npm run dev\` also reads \`RESTATE_INGRESS_PORT\`, \`RESTATE_ADMIN_PORT\` and \`RESTATE_NODE_PORT\`; it replaces a taken port by a free
one.
`;
