import { createHash } from "node:crypto";
import { SealError, type Sealer } from "../../platform/seal.ts";
import { Secret } from "../../platform/secret.ts";

/** A request, and the row that remembers it. */
export interface RequestOfRow {
  /** What the request belongs to: a partner and an idempotency key. */
  readonly about: string;
  /** The context of the row's `sealed_request`. */
  readonly sealedAbout: string;
  /** Changes whenever the row is written for another request. */
  readonly version: string;
  readonly request: string;
}

/** What a row keeps, to tell a repetition from another request. */
export interface KeptRequest {
  /** By a key of the ring, for the release before; a repetition is not known by it once that key is gone. */
  readonly fingerprint: Buffer | null;
  /** Null: the release before wrote the row. */
  readonly sealedRequest: Buffer | null;
}

const plainOf = ({ version, request }: RequestOfRow) =>
  `${version}:${createHash("sha256").update(request).digest("hex")}`;

export const keepRequest = (sealer: Sealer, of: RequestOfRow) => ({
  fingerprint: sealer.fingerprint(of.about, of.request),
  sealedRequest: sealer.sealAlone(of.sealedAbout, new Secret(plainOf(of))),
});

/** Null: a rotation by the release before, which does not know the column, left the value on a key that is gone. */
const openKept = (sealer: Sealer, { sealedAbout }: RequestOfRow, sealed: Buffer): string | null => {
  try {
    return sealer.openAlone(sealedAbout, sealed).reveal();
  } catch (error) {
    if (error instanceof SealError && error.code === "unknown_key") return null;
    throw error;
  }
};

export const isKeptRequest = (
  sealer: Sealer,
  of: RequestOfRow,
  { fingerprint, sealedRequest }: KeptRequest,
): boolean => {
  const kept = sealedRequest && openKept(sealer, of, sealedRequest);
  // Of another version: the release before took the row over, and left the old value in it.
  if (kept?.startsWith(`${of.version}:`)) return kept === plainOf(of);
  return fingerprint !== null && sealer.isFingerprintOf(of.about, of.request, fingerprint);
};
