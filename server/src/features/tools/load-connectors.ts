import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Connector, kitVersion, longestGraceMs } from "@portage/connector-kit";
import { z } from "zod";

export class ConnectorLoadError extends Error {
  readonly code = "connector_not_loaded";
}

/** Limits with a class are kept under its name. */
const counted = z
  .array(
    z.looseObject({
      class: z
        .string()
        .regex(/^[a-z0-9-]+$/)
        .optional(),
    }),
  )
  .optional();

/** The parts of a connector that can be checked without running it. */
const shape = z.looseObject({
  manifest: z.looseObject({
    name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    label: z.string().min(1),
    families: z.array(z.string()).min(1),
    roles: z.array(z.enum(["source", "destination"])).min(1),
    settings: z.looseObject({ safeParse: z.custom((value) => typeof value === "function") }),
    hosts: z.custom((value) => typeof value === "function"),
    limits: counted,
    quotaHeaders: counted,
    grace: z
      .object({ lateWriteMs: z.number().nonnegative(), findLagMs: z.number().nonnegative() })
      .refine(({ lateWriteMs, findLagMs }) => lateWriteMs + findLagMs <= longestGraceMs, {
        error: `more than ${longestGraceMs} ms together`,
      }),
  }),
  check: z.custom((value) => typeof value === "function"),
});

const load = async (name: string, from: string): Promise<Connector> => {
  const fail = (what: string, cause?: unknown) =>
    new ConnectorLoadError(`The connector package ${name} ${what}`, { cause });
  let path: string;
  try {
    path = createRequire(join(from, "package.json")).resolve(name);
  } catch (cause) {
    throw fail(
      `is not installed: run "npm install ${name}" in ${from}, or take it out of PORTAGE_CONNECTORS.`,
      cause,
    );
  }
  let loaded: { connector?: unknown };
  try {
    loaded = (await import(pathToFileURL(path).href)) as typeof loaded;
  } catch (cause) {
    throw fail(`can't be loaded: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
  const kit = (loaded.connector as { manifest?: { kit?: unknown } } | undefined)?.manifest?.kit;
  if (typeof kit === "number" && kit !== kitVersion)
    throw fail(
      `was written for version ${kit} of the connector kit, this server has ${kitVersion}: install a release of it that fits.`,
    );
  const parsed = shape.safeParse(loaded.connector);
  if (kit === undefined || !parsed.success) {
    const [issue] = parsed.error?.issues ?? [];
    throw fail(
      `does not export a "connector"${issue ? ` (${issue.path.join(".")}: ${issue.message})` : ""}.`,
    );
  }
  return loaded.connector as Connector;
};

/** The built-in connectors, and those of the packages that the operator allows, installed in the folder `from`. */
export const loadConnectors = async (
  ours: readonly Connector[],
  packages: readonly string[],
  from: string,
): Promise<readonly Connector[]> => {
  const connectors = [...ours];
  for (const name of packages) {
    const connector = await load(name, from);
    if (connectors.some(({ manifest }) => manifest.name === connector.manifest.name))
      throw new ConnectorLoadError(
        `The connector package ${name} brings a second "${connector.manifest.name}".`,
      );
    connectors.push(connector);
  }
  return connectors;
};
