import { randomBytes } from "node:crypto";
import type { Database } from "../../platform/db.ts";
import { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import { replaceLinkToken } from "./store-changes.ts";

export const newLinkToken = (): Secret => new Secret(randomBytes(16).toString("hex"));

/** The customer's link: its holder can act for the customer. */
export const redirectUrl = (publicUrl: string, id: string, token: Secret): string =>
  `${publicUrl}/imports/${id}/${token.reveal()}`;

/** Makes a new link and revokes the old one. Undefined: no open import with this id. */
export const reissueLink = async (db: Database, sealer: Sealer, id: string): Promise<Secret | undefined> => {
  const token = newLinkToken();
  return (await replaceLinkToken(db, sealer, id, token)) ? token : undefined;
};
