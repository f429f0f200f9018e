import { type Family, families } from "@portage/contract";
import { findStream } from "@portage/connector-kit";
import { z } from "zod";

/** The streams whose records determine the price, unless the price book names others. */
const usualCounts: Readonly<Record<Family, readonly string[]>> = {
  helpdesk: ["tickets"],
  projects: ["tasks"],
  crm: ["contacts"],
  content: ["posts", "pages"],
};

/** Above any real price, and far below the largest exact integer. */
const maxMinorUnits = 100_000_000_000;

const amount = z
  .int({ error: "must be a whole number of minor units, such as 34900 for 349.00" })
  .min(1, "must be above zero")
  .max(maxMinorUnits, "is too large");

const packageSchema = z.object({
  id: z.string().regex(/^[a-z0-9_-]{1,40}$/, "must be 1 to 40 of a-z, 0-9, _ and -"),
  name: z.string().trim().min(1, "can't be blank").max(80),
  /** Null: no limit. */
  upToRecords: z.int().min(1).nullable(),
  /** In minor units, without tax. */
  amount,
});

export type Package = z.infer<typeof packageSchema>;

const isAscending = (packages: readonly Package[]) =>
  packages.every((each, index) => {
    const before = packages[index - 1];
    if (!before) return true;
    return (
      before.upToRecords !== null && (each.upToRecords === null || each.upToRecords > before.upToRecords)
    );
  });

const counts = z
  .partialRecord(z.enum(families), z.array(z.string()).min(1))
  .refine(
    (byFamily) =>
      Object.entries(byFamily).every(([family, names]) =>
        names.every((name) => findStream(family as Family, name) !== undefined),
      ),
    "must name streams of each family, such as tickets of helpdesk",
  );

/** A price book as the operator writes it. */
export const priceBookSchema = z.object({
  currency: z.string().regex(/^[a-z]{3}$/, "must be an ISO 4217 code in lower case, such as eur"),
  packages: z
    .array(packageSchema)
    .min(1, "must have a package")
    .max(20)
    .refine(isAscending, "must go from the smallest to the largest; only the last can be without a limit")
    .refine(
      (packages) => new Set(packages.map(({ id }) => id)).size === packages.length,
      "must have different ids",
    ),
  /** Families that the book leaves out use the default streams. */
  counts: counts.default({}),
  quoteDays: z.int().min(1).max(365).default(30),
  refundDays: z.int().min(0).max(365).default(14),
});

export interface PriceBook extends z.infer<typeof priceBookSchema> {
  readonly id: string;
  /** Null: for every partner that has no book of its own. */
  readonly partnerId: string | null;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly replacedAt: Date | null;
}

/** The streams of a family whose records cost something. */
export const countedStreams = (book: Pick<PriceBook, "counts">, family: Family): readonly string[] =>
  book.counts[family] ?? usualCounts[family];
