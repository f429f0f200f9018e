import { type FamilyRecord, referencesOf } from "@portage/connector-kit";
import { peopleStreamOf } from "../../mapping/index.ts";
import { type ChunkContext, pairOf } from "../chunk/chunk-context.ts";

/** A record of the destination that a copy names. */
export interface NamedRecord {
  readonly stream: string;
  readonly id: string;
}

/** What a copy names: by its relations, and people in custom fields. Without these records it would be incomplete. */
export const namedInCopy = (
  ctx: Pick<ChunkContext, "streams" | "lease" | "mapping">,
  copy: FamilyRecord,
): readonly NamedRecord[] => {
  const { stream } = pairOf(ctx).from;
  const people = peopleStreamOf(stream.family).name;
  const inFields = ctx.mapping
    .personFields(stream.name)
    .flatMap((key) => copy.customFields[key] ?? [])
    .filter((id) => typeof id === "string")
    .map((id) => ({ stream: people, id }));
  return [
    ...referencesOf(stream, copy).map((named) => ({ stream: named.stream, id: named.id })),
    ...inFields,
  ];
};

/** The streams whose records copies of this one may name. */
export const streamsNamedBy = (
  ctx: Pick<ChunkContext, "streams" | "lease" | "mapping">,
): readonly string[] => {
  const { stream } = pairOf(ctx).from;
  const inFields = ctx.mapping.personFields(stream.name).length > 0;
  return [
    ...Object.values(stream.relations).flatMap(({ to }) => to),
    ...(inFields ? [peopleStreamOf(stream.family).name] : []),
  ];
};
