import { isDeepStrictEqual } from "node:util";
import type { DestinationStream, FamilyRecord, FieldChange } from "@portage/connector-kit";
import type { Copied } from "./copy-records.ts";

/** A field by its outer name: a change of `text.html` is a change of `text`; a custom field keeps its own name. */
const outer = (field: string) => (field.startsWith("customFields") ? field : field.replace(/\..*$/, ""));

const differing = (wanted: FamilyRecord, got: FamilyRecord): readonly string[] =>
  Object.entries(wanted).flatMap(([field, value]): string[] => {
    const has = (got as unknown as Record<string, unknown>)[field];
    if (field === "id" || isDeepStrictEqual(value, has)) return [];
    if (field !== "customFields") return [field];
    return Object.keys(wanted.customFields)
      .filter((key) => !isDeepStrictEqual(wanted.customFields[key], got.customFields[key]))
      .map((key) => `customFields.${key}`);
  });

/** The fields in which a copy differs from what was written, without anybody having said so. */
export const undeclaredDifferences = <S>(
  { write, outcome }: Copied,
  target: Pick<DestinationStream<FamilyRecord, S>, "drops">,
  got: FamilyRecord | null,
): readonly string[] => {
  if (!got) return ["gone"];
  const changes: readonly FieldChange[] = ("changes" in outcome ? outcome.changes : undefined) ?? [];
  const declared = new Set([...changes, ...(target.drops ?? [])].map(({ field }) => outer(field)));
  return differing(write.record, got).filter(
    (field) => !declared.has(field) && !(field.startsWith("customFields") && declared.has("customFields")),
  );
};

/** How many differences were declared, by stream and field: what a person is told about the copy. */
export const declaredChanges = (copied: readonly Copied[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { stream, outcome } of copied)
    for (const { field } of ("changes" in outcome ? outcome.changes : undefined) ?? []) {
      const name = `${stream}.${outer(field)}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  return counts;
};
