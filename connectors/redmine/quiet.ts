import { createHash } from "node:crypto";
import type { UserRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

const fingerprint = (key: string) => createHash("sha256").update(key).digest("hex").slice(0, 12);

/** `p`: a person whom an import copies. `c`: a canary's, who gets the mails that people get by default. */
export type LoginKind = "p" | "c";

const madeHere = /\.p[0-9a-f]{12}$/;
const endings: Readonly<Record<LoginKind, RegExp>> = { p: madeHere, c: /\.c[0-9a-f]{12}$/ };

/**
 * The login of an account that an import creates. Its suffix is derived from the key, so that the import finds the
 * account by it, and so that everyone sees that the account came with an import.
 */
export const loginOf = (key: string, email: string | null, name: string, kind: LoginKind = "p"): string => {
  const start = (email?.split("@")[0] ?? name)
    .normalize("NFKD")
    .replace(/[^a-zA-Z0-9._-]+/g, "")
    .toLowerCase()
    .slice(0, 40);
  return `${start || "person"}${loginEnd(key, kind)}`;
};

export const loginHasKey = (login: string, key: string): boolean => login.endsWith(`.p${fingerprint(key)}`);

export const loginEnd = (key: string, kind: LoginKind = "p"): string => `.${kind}${fingerprint(key)}`;

export const endOfLogin = (login: string, kind: LoginKind = "p"): string | null =>
  endings[kind].exec(login)?.[0] ?? null;

/**
 * An import creates accounts with mails switched off. For others it can't be known: Redmine's API neither shows
 * whether a user gets mails nor offers a way to suppress them.
 */
export const isQuiet = ({ login }: Pick<UserRow, "login">): boolean => madeHere.test(login);

/** Whether the import can involve a user without a mail to them. */
export const mayInvolve = (io: RedmineIo, user: Pick<UserRow, "login">): boolean =>
  io.settings.notifications === "off" || isQuiet(user);
