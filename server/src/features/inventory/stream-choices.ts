import { type FamilyStream, familyStreams, type Manifest } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { ChoiceStream } from "@portage/contract/wizard";
import { requiredBy } from "../mapping/index.ts";
import { describeCount } from "./describe-count.ts";
import type { StreamCount } from "./source-counts.ts";

const parentOf = ({ parent, relations }: FamilyStream): string | null =>
  parent === null ? null : (relations[parent]?.to[0] ?? null);

/** Streams that refer to this one, but can move without it. */
const missedBy = (streams: readonly FamilyStream[], name: string) =>
  streams
    .filter(
      (stream) =>
        stream.name !== name &&
        Object.values(stream.relations).some(({ to, missing }) => missing === "clear" && to.includes(name)),
    )
    .map((stream) => stream.name);

/**
 * All streams of a family: how many records they have, whether they can move, what of them the source leaves out, and what they
 * depend on.
 */
export const streamChoices = (
  family: Family,
  counts: readonly StreamCount[],
  counting: boolean,
  offered: ReadonlySet<string>,
  { leavesOut = [] }: Pick<Manifest, "leavesOut">,
): readonly ChoiceStream[] => {
  const streams: readonly FamilyStream[] = familyStreams[family];
  const counted = new Map(counts.map((each) => [each.from.stream.name, each]));
  return streams.flatMap((stream): ChoiceStream[] => {
    const own = counted.get(stream.name);
    const isTaken = offered.has(stream.name);
    // A stream that neither tool knows is not a choice.
    if (!own && !isTaken) return [];
    const nothing = { name: stream.name, label: stream.label, state: "untold", count: null } as const;
    return [
      {
        ...(own ? describeCount(own, counting) : { ...nothing, exact: false, bytes: null }),
        moves: own ? (isTaken ? "yes" : "not_taken") : "not_read",
        leavesOut:
          leavesOut.find((part) => own && part.role === "source" && part.stream === stream.name)?.why ?? null,
        parent: parentOf(stream),
        requires: requiredBy(stream),
        missedBy: missedBy(streams, stream.name),
      },
    ];
  });
};
