import { createPublicKey, verify } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { families } from "./families.ts";
import { importIdPattern } from "./ids.ts";

const count = z.int().nonnegative();
const byCause = z.record(z.string(), count).describe("How many records, by the code of the reason.");

const streamSummary = z.object({
  stream: z.string(),
  source: count.describe("What the old tool had, by a count of its own after the copy."),
  written: count,
  matched: count.describe("Was in the new tool already."),
  skipped: byCause,
  failed: byCause,
  deleted_at_source: count.describe("Copied, and deleted in the old tool since."),
  compared: count.describe(
    "Copies that were compared with the old tool, field by field, after a second reading of both tools.",
  ),
  differs: count.describe(
    "Of those, different in a field or in the bytes of a file, without a stated reason.",
  ),
  gone: count.describe("Of those, no longer there."),
  differing_fields: z
    .record(z.string(), count)
    .optional()
    .describe(
      "How many copies differ, by field; `file` stands for the bytes of a file. Older summaries lack it.",
    ),
  changed_at_source: count
    .optional()
    .describe("Not compared: the old tool has another version since the copy. Older summaries lack it."),
  refused: count
    .optional()
    .describe("Not compared: one of the tools did not show the record. Older summaries lack it."),
  sampled_one_of: z
    .int()
    .positive()
    .optional()
    .describe(
      "One in this many copies was compared, chosen by a hash of the record; 1: all. Older summaries lack it.",
    ),
  files: z
    .object({
      compared: count.describe(
        "Files whose bytes were read in both tools, and compared by length and SHA-256.",
      ),
      same: count,
      unread: count.describe("Files whose bytes one of the tools did not give."),
    })
    .optional()
    .describe("Only for streams of files. Older summaries lack it."),
  doubled: count.describe("Copies too many."),
  adds_up: z.boolean().describe("source = written + matched + skipped + failed"),
});

const leftBehind = z.object({
  stream: z.string(),
  reason: z
    .enum(["not_supported", "not_selected", "not_allowed"])
    .describe(
      "The new tool has no place for them, the customer left them out, or the old tool does not show them to this account.",
    ),
  count: count.nullable().describe("What the old tool had when the move began; null: it does not tell."),
});

/** The result of a migration, as later evidence. */
export const reportSummary = z.object({
  version: z.literal(1),
  import_id: z.string().regex(importIdPattern),
  reference: z.string().nullable(),
  source_tool: z.string(),
  destination_tool: z.string(),
  family: z.enum(families),
  run: z.object({
    number: z.int().positive(),
    kind: z.enum(["sample", "full", "delta", "retry_failed"]),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime(),
  }),
  undone: z.boolean().describe("All of it was taken away again since."),
  streams: z.array(streamSummary),
  left_behind: z
    .array(leftBehind)
    .optional()
    .describe(
      "Kinds of records that were not moved at all, and are in no stream above. Older summaries lack it.",
    ),
  silence: z
    .object({
      records: count.describe("Records of our own that were written before the copy, and removed again."),
      messages: count.describe("Messages that the new tool sent about them."),
      measured_at: z.iso.datetime(),
    })
    .nullable()
    .optional()
    .describe(
      "Whether copies send messages to people; null: promised, not measured. Older summaries lack it.",
    ),
  adds_up: z.boolean(),
  made_at: z.iso.datetime(),
});

export type ReportSummary = z.infer<typeof reportSummary>;

/** The downloaded form: the readable summary, and the same summary signed. */
export interface SignedSummary {
  readonly summary: unknown;
  /** Compact JWS (RFC 7515), EdDSA. */
  readonly jws: string;
}

export interface VerificationKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
}

export type Verified =
  | { readonly kind: "genuine"; readonly summary: ReportSummary }
  /** The service publishes no key of this name: it was retired, or never belonged to Portage. */
  | { readonly kind: "unknown_key"; readonly keyId: string }
  /** The summary was changed, or is not ours. */
  | { readonly kind: "altered" };

const parse = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
};

const header = z.object({ alg: z.literal("EdDSA"), kid: z.string() });

/** Checks a summary against the keys that the service publishes at `/.well-known/portage-report-keys.json`. */
export const verifySummary = (
  { summary, jws }: SignedSummary,
  { keys }: { readonly keys: readonly VerificationKey[] },
): Verified => {
  const [protectedPart = "", payloadPart = "", signaturePart = "", ...more] = jws.split(".");
  const named = header.safeParse(parse(protectedPart));
  if (!named.success || more.length > 0) return { kind: "altered" };
  const { kid } = named.data;
  const key = keys.find((each) => each.kid === kid);
  if (!key) return { kind: "unknown_key", keyId: kid };
  const genuine = verify(
    null,
    Buffer.from(`${protectedPart}.${payloadPart}`),
    createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: "jwk" }),
    Buffer.from(signaturePart, "base64url"),
  );
  const payload = parse(payloadPart);
  const signed = reportSummary.safeParse(payload);
  // The readable summary must equal the signed one.
  return genuine && signed.success && isDeepStrictEqual(payload, summary)
    ? { kind: "genuine", summary: signed.data }
    : { kind: "altered" };
};
