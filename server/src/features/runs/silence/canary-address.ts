import { hash } from "node:crypto";

/** Names one measurement. From the run, so that it is known again if the database lost its row. */
export const tokenFor = (runId: string, no: number): string =>
  hash("sha256", `canary\0${runId}\0${no}`, "hex").slice(0, 16);

/** The key of a canary's copy: as long as that of any copy, and never that of one. */
export const canaryKey = (importId: string, token: string, name: string): string =>
  `${importId}:${hash("sha256", `canary\0${token}\0${name}`, "hex").slice(0, 32)}`;

/** No mail reaches this domain: for tools with a log of their own, where the operator has no mailbox. */
const nowhere = "canary@portage.invalid";

export const canaryAddress = (mailbox: string | null, token: string): string =>
  (mailbox ?? nowhere).replace("@", `+${token}@`);

/** The token in an address of ours; null: it is none. */
export const tokenIn = (mailbox: string, address: string): string | null => {
  const [local = "", domain = ""] = mailbox.toLowerCase().split("@");
  const token = address.toLowerCase().slice(local.length + 1, -(domain.length + 1));
  return /^[0-9a-f]{16}$/.test(token) && address.toLowerCase() === `${local}+${token}@${domain}`
    ? token
    : null;
};

/** In the order of writing: a message about a comment also quotes its ticket. */
const streams = ["users", "contacts", "groups", "projects", "tickets", "tasks", "comments"];

/** The stream of the canary that a message is about; null: it names none. */
export const streamIn = (token: string, text: string): string | null =>
  streams.findLast((stream) => text.includes(`canary-${token}-${stream}-`)) ?? null;
