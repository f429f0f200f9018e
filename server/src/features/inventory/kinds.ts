import { type DestinationStream, isRemovable, type SourceStream, streamLosses } from "@portage/connector-kit";
import type { WizardKind } from "@portage/contract/wizard";

/** A loss within a field, such as an author's name, is not a loss of the field. */
const dropped = (to: DestinationStream): Readonly<Record<string, string>> =>
  Object.fromEntries(
    streamLosses(to)
      .filter(({ field }) => !field.includes("."))
      .map(({ field, why }) => [field, why]),
  );

/** The kinds of records that one tool reads and the other takes, each with what its copies keep. */
export const kindsOf = (
  read: readonly SourceStream[],
  offered: readonly DestinationStream[],
): readonly WizardKind[] => {
  const readable = new Set(read.map(({ stream }) => stream.name));
  return offered
    .filter(({ stream }) => readable.has(stream.name))
    .map((to) => ({
      name: to.stream.name,
      label: to.stream.label,
      silent: to.guarantees.includes("silent"),
      backdates: to.guarantees.includes("backdates"),
      keepsAuthor: "author" in to.stream.relations ? to.guarantees.includes("keeps-author") : null,
      removable: isRemovable(to, offered),
      dropped: dropped(to),
    }));
};
