import { createHash } from "node:crypto";
import type { UserRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

const fingerprint = (key: string) => createHash("sha256").update(key).digest("hex").slice(0, 12);

const madeHere = /\.p[0-9a-f]{12}$/;

/**
 * The login of an account that is made for a person of the old tool. Its end is made from the key, so that the
 * account can be found by it, and so that everyone can see that it came with an import.
 */
export const loginOf = (key: string, email: string | null, name: string): string => {
  const start = (email?.split("@")[0] ?? name)
    .normalize("NFKD")
    .replace(/[^a-zA-Z0-9._-]+/g, "")
    .toLowerCase()
    .slice(0, 40);
  return `${start || "person"}.p${fingerprint(key)}`;
};

export const loginHasKey = (login: string, key: string): boolean => login.endsWith(`.p${fingerprint(key)}`);

export const loginEnd = (key: string): string => `.p${fingerprint(key)}`;

/**
 * Accounts that an import made have their mails switched off. Of others it can't be known: Redmine's interface does
 * not show whether a person gets mails, and has no way to make a change without them.
 */
export const isQuiet = ({ login }: Pick<UserRow, "login">): boolean => madeHere.test(login);

/** Whether a person may be involved without getting a mail. */
export const mayInvolve = (io: RedmineIo, user: Pick<UserRow, "login">): boolean =>
  io.settings.notifications === "off" || isQuiet(user);
