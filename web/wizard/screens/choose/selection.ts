import type { ChoiceStream, SelectionFilter, WizardSelection } from "@portage/contract/wizard";

/** What limits the records of the selected streams. */
export type Limits = Omit<WizardSelection, "streams">;

export interface Draft extends Limits {
  /** The names of the selected streams. */
  readonly chosen: ReadonlySet<string>;
}

/** The limits beside the date since which records changed. */
export const isPrecise = (limits: Limits): boolean =>
  limits.createdFrom !== null ||
  limits.createdBefore !== null ||
  limits.changedBefore !== null ||
  limits.statuses !== null ||
  limits.groups !== null ||
  limits.tags !== null;

/** A filter without values is not complete: the customer is still choosing. */
export const isComplete = ({ statuses, groups, tags }: Limits): boolean =>
  [statuses, groups, tags].every((filter) => filter === null || filter.values.length > 0);

const canMove = ({ moves, state }: ChoiceStream) => moves === "yes" && state !== "refused";

export const movable = (streams: readonly ChoiceStream[]) => streams.filter(canMove);

export const draftOf = (
  { streams: names, ...limits }: WizardSelection,
  streams: readonly ChoiceStream[],
): Draft => ({
  ...limits,
  chosen: new Set(
    movable(streams)
      .map(({ name }) => name)
      .filter((name) => names?.includes(name) ?? true),
  ),
});

/** Removes streams whose requirements are not selected; recursive, because requirements form chains. */
const closed = (chosen: ReadonlySet<string>, streams: readonly ChoiceStream[]): ReadonlySet<string> => {
  const kept = streams.filter(
    ({ name, requires }) =>
      chosen.has(name) && requires.every((list) => list.some((each) => chosen.has(each))),
  );
  return kept.length === chosen.size ? chosen : closed(new Set(kept.map(({ name }) => name)), streams);
};

/** A stream with its ancestors, which must move with it. */
const withParents = (name: string, streams: readonly ChoiceStream[]): readonly string[] => {
  const parent = streams.find((each) => each.name === name)?.parent ?? null;
  return parent === null ? [name] : [name, ...withParents(parent, streams)];
};

/** Selects or deselects a stream, together with its children. */
export const toggled = (draft: Draft, name: string, on: boolean, streams: readonly ChoiceStream[]): Draft => {
  const chosen = new Set(draft.chosen);
  if (on)
    for (const each of [name, ...childrenOf(name, streams), ...withParents(name, streams)]) chosen.add(each);
  else chosen.delete(name);
  const can = new Set(movable(streams).map((each) => each.name));
  return { ...draft, chosen: closed(new Set([...chosen].filter((each) => can.has(each))), streams) };
};

const childrenOf = (name: string, streams: readonly ChoiceStream[]): readonly string[] =>
  streams.filter(({ parent }) => parent === name).map((each) => each.name);

/** The selected streams that require this one, apart from its children. */
export const neededBy = (
  name: string,
  { chosen }: Draft,
  streams: readonly ChoiceStream[],
): readonly ChoiceStream[] =>
  streams.filter(
    (each) =>
      chosen.has(each.name) &&
      each.parent !== name &&
      each.requires.some(
        (list) => list.includes(name) && !list.some((other) => other !== name && chosen.has(other)),
      ),
  );

/** The selection to save: "all" if every movable stream is selected, so that later streams move, too. */
export const selectionOf = (
  { chosen, ...limits }: Draft,
  streams: readonly ChoiceStream[],
): WizardSelection => {
  const can = movable(streams);
  const all = can.every(({ name }) => chosen.has(name));
  return {
    ...limits,
    streams: all ? null : can.map(({ name }) => name).filter((name) => chosen.has(name)),
  };
};

const filterKey = (filter: SelectionFilter | null) =>
  filter && JSON.stringify([filter.mode, filter.values.toSorted()]);

/** What limits the records, in a form that can be compared. */
export const limitsKey = (limits: Limits): string =>
  JSON.stringify([
    limits.createdFrom,
    limits.createdBefore,
    limits.changedFrom,
    limits.changedBefore,
    filterKey(limits.statuses),
    filterKey(limits.groups),
    filterKey(limits.tags),
  ]);

export const sameSelection = (a: WizardSelection, b: WizardSelection): boolean =>
  limitsKey(a) === limitsKey(b) &&
  [...(a.streams ?? ["*"])].toSorted().join() === [...(b.streams ?? ["*"])].toSorted().join();

/** Root streams in their order, each followed by its children; streams that can't move come last. */
export const inOrder = (streams: readonly ChoiceStream[]): readonly ChoiceStream[] => {
  const names = new Set(movable(streams).map(({ name }) => name));
  const roots = movable(streams).filter(({ parent }) => parent === null || !names.has(parent));
  const family = (stream: ChoiceStream): readonly ChoiceStream[] => [
    stream,
    ...movable(streams)
      .filter(({ parent }) => parent === stream.name)
      .flatMap(family),
  ];
  const weight = ({ count, name }: ChoiceStream) =>
    streams.some(({ parent }) => parent === name) ? -1 : count === 0 ? 1 : 0;
  return [
    ...roots.toSorted((a, b) => weight(a) - weight(b)).flatMap(family),
    ...streams.filter((each) => !canMove(each)),
  ];
};
