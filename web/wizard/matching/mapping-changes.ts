import type { WizardMapping } from "@portage/contract/wizard";

type Path = readonly string[];
type Leaves = ReadonlyMap<string, unknown>;

/** One decision that is not as it was: undefined where there is none any more. */
export interface Change {
  readonly path: Path;
  readonly value: unknown;
}

const keyOf = (path: Path) => JSON.stringify(path);

const eachOf = (
  path: Path,
  all: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown])[] =>
  Object.entries(all).map(([name, value]) => [keyOf([...path, name]), value]);

/** What is decided, each decision by itself. The fields' shapes are no decision: the server adds them. */
const leavesOf = ({ selection, people, streams }: WizardMapping): Leaves =>
  new Map([
    [keyOf(["selection"]), selection],
    [keyOf(["people", "rest"]), { unmatched: people.unmatched, defaultId: people.defaultId }],
    ...eachOf(["people", "choices"], people.choices),
    ...Object.entries(streams).flatMap(([name, { fields, words, fills }]) => [
      ...eachOf(["streams", name, "fields"], fields),
      ...eachOf(["streams", name, "fills"], fills),
      ...Object.entries(words).flatMap(([field, choices]) =>
        eachOf(["streams", name, "words", field], choices),
      ),
    ]),
  ]);

/** The database keeps no order of keys. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  ) ?? "";

export const changesBetween = (before: WizardMapping, after: WizardMapping): readonly Change[] => {
  const was = leavesOf(before);
  const is = leavesOf(after);
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((key) => written(was.get(key)) !== written(is.get(key)))
    .map((key) => ({ path: JSON.parse(key) as Path, value: is.get(key) }));
};

type Tree = Record<string, unknown>;

/** A name that every object has is a name like any other here. */
const put = (tree: Tree, name: string, value: unknown) =>
  Object.defineProperty(tree, name, { value, enumerable: true, configurable: true, writable: true });

const setAt = (tree: Tree, path: Path, value: unknown): void => {
  const last = path.at(-1) ?? "";
  let at = tree;
  for (const name of path.slice(0, -1)) {
    if (!Object.hasOwn(at, name)) put(at, name, {});
    at = at[name] as Tree;
  }
  if (value === undefined) delete at[last];
  else put(at, last, value);
};

const emptyStream = () => ({ fields: {}, words: {}, fills: {}, source: {}, destination: {} });

/** Thousands of changes at once are usual where people are matched: one copy is made for all of them. */
export const applyChanges = (mapping: WizardMapping, changes: readonly Change[]): WizardMapping => {
  const made = structuredClone(mapping) as unknown as { people: Tree; streams: Tree } & Tree;
  for (const { path, value } of changes) {
    const [area, name = ""] = path;
    if (area === "streams" && !Object.hasOwn(made.streams, name)) put(made.streams, name, emptyStream());
    if (area === "people" && name === "rest") Object.assign(made.people, value);
    else setAt(made, path, value);
  }
  return made as unknown as WizardMapping;
};

export interface Merge {
  /** Theirs, and mine where only I have changed something. */
  readonly apart: WizardMapping;
  /** Theirs with all of mine. */
  readonly withMine: WizardMapping;
  readonly mine: readonly Change[];
  readonly theirs: readonly Change[];
  /** What both have decided, each otherwise: mine of them. */
  readonly both: readonly Change[];
}

/** Two have changed the same mapping at the same time. */
export const merge = (base: WizardMapping, mine: WizardMapping, theirs: WizardMapping): Merge => {
  const ours = changesBetween(base, mine);
  const others = changesBetween(base, theirs);
  const told = new Map(others.map(({ path, value }) => [keyOf(path), written(value)]));
  const both = ours.filter(({ path, value }) => {
    const other = told.get(keyOf(path));
    return other !== undefined && other !== written(value);
  });
  const apart = ours.filter((change) => !both.includes(change));
  return {
    mine: ours,
    theirs: others,
    both,
    apart: applyChanges(theirs, apart),
    withMine: applyChanges(theirs, ours),
  };
};
