import type { WizardMapping } from "@portage/contract/wizard";

type Path = readonly string[];
type Leaves = ReadonlyMap<string, unknown>;

/** One changed decision; the value is undefined where the decision was removed. */
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

/** All decisions, flattened by path. Field shapes are not decisions: the server adds them. */
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

/** Serializes with sorted keys, because the database does not keep their order. */
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

/** Sets names such as `__proto__` as plain properties. */
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

/** Clones the mapping once for all changes: matching people can produce thousands. */
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
  /** Theirs, plus my changes that do not conflict. */
  readonly apart: WizardMapping;
  /** Theirs, plus all my changes. */
  readonly withMine: WizardMapping;
  readonly mine: readonly Change[];
  readonly theirs: readonly Change[];
  /** My side of the decisions that both changed to different values. */
  readonly both: readonly Change[];
}

/** Three-way merge of two concurrent edits of the same mapping. */
export const merge = (base: WizardMapping, mine: WizardMapping, theirs: WizardMapping): Merge => {
  const ours = changesBetween(base, mine);
  const others = changesBetween(base, theirs);
  const otherValues = new Map(others.map(({ path, value }) => [keyOf(path), written(value)]));
  const both = ours.filter(({ path, value }) => {
    const other = otherValues.get(keyOf(path));
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
