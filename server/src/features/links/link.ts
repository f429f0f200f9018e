import { createHash, randomBytes } from "node:crypto";
import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import type { Side } from "../imports/index.ts";
import { insertLink, type KeptLink, type LinkPurpose } from "./store.ts";

/** What a link permits: all that the customer may do, or connecting one side. */
export type May = "everything" | { readonly connect: Side };

export const mayBy = (link: Pick<KeptLink, "purpose" | "side"> | null): May =>
  link?.purpose === "admin" && link.side !== null ? { connect: link.side } : "everything";

export const linkHash = (token: string): Buffer => createHash("sha256").update(token).digest();

export interface LinkToMake {
  readonly importId: string;
  readonly purpose: LinkPurpose;
  /** Which side an `admin` link connects. */
  readonly side?: Side;
  readonly expiresInMs: number;
  /** The mark of the import's own link as the caller knows it: if the link was replaced since, nothing is made. */
  readonly underMark?: string;
  /** The address that the link is mailed to, as stored: if it was replaced or removed since, nothing is made. */
  readonly mailedTo?: Buffer;
}

export type LinkMade =
  | { readonly kind: "made"; readonly id: string; readonly token: Secret; readonly expiresAt: Date }
  /** No open import with this id, or its own link or the mail address was replaced meanwhile. */
  | { readonly kind: "missing" }
  | { readonly kind: "too_many" };

const maxLinks: Readonly<Record<LinkPurpose, number>> = { admin: 20, email: 200 };

/** Makes a further link to an import. The token is returned only here: the database keeps its hash. */
export const makeLink = async (db: Database, wanted: LinkToMake): Promise<LinkMade> => {
  const token = randomBytes(16).toString("hex");
  const inserted = await insertLink(db, {
    id: newId("lnk"),
    importId: wanted.importId,
    purpose: wanted.purpose,
    side: wanted.side ?? null,
    tokenHash: linkHash(token),
    expiresInMs: wanted.expiresInMs,
    underMark: wanted.underMark ?? null,
    mailedTo: wanted.mailedTo ?? null,
    most: maxLinks[wanted.purpose],
  });
  if (inserted.kind !== "inserted") return inserted;
  const { id, expiresAt } = inserted.link;
  return { kind: "made", id, expiresAt, token: new Secret(token) };
};
