import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPortage } from "@portage/sdk";
import { z } from "zod";
import type { AppNeeds } from "./app.ts";

/** Settings that the desk can't start with: a line for each, with what is wrong and how to fix it. */
export class SettingsError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
  }
}

const secretForm = "whsec_ and 32 bytes in base64";

const settings = z.object({
  FERRY_SECRET: z
    .string()
    .min(16, `is too short: set it to ${secretForm}, or leave it out and the desk generates one`)
    .optional(),
  FERRY_FOLDER: z.string().default("./data"),
  FERRY_PORT: z
    .string()
    .default("4600")
    .transform(Number)
    .refine(
      (port) => Number.isInteger(port) && port >= 0 && port <= 65_535,
      "is not a port: set it to a whole number from 0 to 65535, or leave it out for 4600",
    ),
  FERRY_ACCOUNT: z.string().max(200, "is too long: use at most 200 characters").default("Acme Support"),
  PORTAGE_URL: z
    .url({ error: "is not an address: set it to that of the service, such as https://portage.example" })
    .optional(),
  PORTAGE_TOKEN: z.string().optional(),
  PORTAGE_WEBHOOK_SECRETS: z
    .string()
    .min(16, "is too short: set it to the secret that the operator gave you, or two separated by a comma")
    .optional(),
  PORTAGE_MODE: z
    .enum(["production", "sandbox", "simulator"], {
      error: "is unknown: set it to production, sandbox or simulator, or leave it out for production",
    })
    .default("production"),
  PORTAGE_EMBEDDED: z
    .enum(["yes", "no"], { error: "is unknown: set it to yes or no, or leave it out for no" })
    .default("no"),
});

type Settings = z.infer<typeof settings>;

const parse = (env: NodeJS.ProcessEnv): Settings => {
  // A variable that is set to nothing counts as left out.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const { data, error } = settings.safeParse(given);
  if (data) return data;
  throw new SettingsError(error.issues.map(({ path, message }) => `${path.join(".")} ${message}.`));
};

/** The secret in the desk's folder, which the first start creates. */
const keptSecret = (folder: string): { readonly secret: string; readonly note: string } => {
  const file = join(folder, "secret");
  const generated = `whsec_${randomBytes(32).toString("base64")}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${generated}\n`, { flag: "wx", mode: 0o600 });
    return { secret: generated, note: `FERRY_SECRET was generated and is kept in ${file}: ${generated}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length < 16)
    throw new SettingsError([`${file} has no secret: delete it and the desk generates one.`]);
  return { secret, note: `FERRY_SECRET is the one in ${file}.` };
};

const movingFrom = (given: Settings): AppNeeds["moving"] => {
  const { PORTAGE_URL: url, PORTAGE_TOKEN: token, PORTAGE_WEBHOOK_SECRETS: secrets } = given;
  if (!url || !token || !secrets) return undefined;
  try {
    return {
      portage: createPortage({ url, token, mode: given.PORTAGE_MODE }),
      webhookSecrets: secrets.split(","),
      ...(given.PORTAGE_EMBEDDED === "yes" && { framed: new URL(url).origin }),
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The SDK names its own options.
    throw new SettingsError([
      error.message.replace(/^(url|token)\b/, (name) => `PORTAGE_${name.toUpperCase()}`),
    ]);
  }
};

const missingForMoves = (given: Settings): readonly string[] =>
  (["PORTAGE_URL", "PORTAGE_TOKEN", "PORTAGE_WEBHOOK_SECRETS"] as const).filter((name) => !given[name]);

/** Reads the environment; without any settings the desk starts too, for trying it out. */
export const readSettings = (env: NodeJS.ProcessEnv) => {
  const given = parse(env);
  const moving = movingFrom(given);
  const { secret, note } = given.FERRY_SECRET
    ? { secret: given.FERRY_SECRET, note: null }
    : keptSecret(given.FERRY_FOLDER);
  return {
    folder: given.FERRY_FOLDER,
    port: given.FERRY_PORT,
    accountName: given.FERRY_ACCOUNT,
    mode: given.PORTAGE_MODE,
    secret,
    moving,
    /** What a person who starts the desk should know. */
    notes: [
      ...(note ? [note] : []),
      ...(moving
        ? []
        : [
            `Customers can't move data here themselves: set ${missingForMoves(given).join(", ")} (README.md).`,
          ]),
    ],
  };
};
