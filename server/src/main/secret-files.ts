import { readFileSync } from "node:fs";

/**
 * Variables whose value may be in a file instead, named by NAME_FILE: what must not show in an environment. The keys are read by
 * keys/key-source.ts, which also knows a command.
 */
export const namesWithFile = [
  "DATABASE_URL",
  "RESTATE_IDENTITY_KEYS",
  "OPERATOR_OIDC_CLIENT_SECRET",
  "SMTP_URL",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
] as const;

export interface WithFiles {
  /** The environment with the contents of those files. An empty variable counts as unset, and so does an empty file. */
  readonly given: Readonly<Record<string, string>>;
  /** A line for each file that can't be used, beginning with the variable's name. */
  readonly problems: readonly string[];
}

/** Reads the files that the environment names for these variables. No message quotes what is in one. */
export const withSecretFiles = (env: NodeJS.ProcessEnv, names: readonly string[]): WithFiles => {
  const given = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
  const problems: string[] = [];
  for (const name of namesWithFile) {
    const file = given[`${name}_FILE`];
    if (file === undefined || !names.includes(name)) continue;
    if (given[name] !== undefined) {
      problems.push(`${name} and ${name}_FILE are both set: set one`);
      continue;
    }
    try {
      const text = readFileSync(file, "utf8").trim();
      if (text !== "") given[name] = text;
    } catch (error) {
      problems.push(`${name}_FILE can't be read: ${(error as NodeJS.ErrnoException).code} ${file}`);
    }
  }
  return { given, problems };
};
