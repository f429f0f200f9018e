import { type FamilyStream, ownerFieldsOf } from "@portage/connector-kit";

/** How the streams of an import depend on each other, as a sample sees them. */
export interface StreamLayout {
  /** The family's main record: tickets, tasks, deals, posts. Null: there is nothing to choose from. */
  readonly main: string | null;
  /** Streams whose records are chosen for themselves, in the order of copying. */
  readonly roots: readonly string[];
  /** The streams of parts that go with a record of this stream. Of a container: none. */
  childrenOf(stream: string): readonly FamilyStream[];
  find(stream: string): FamilyStream | undefined;
}

/**
 * A thread is a record with the messages under it. A container (a project) holds threads: it is taken because one of
 * its records is, and never with all of its records. Any stream that is neither part of a thread nor a container can be
 * chosen for itself.
 */
export const layOut = (streams: readonly FamilyStream[]): StreamLayout => {
  const byName = new Map(streams.map((stream) => [stream.name, stream]));
  const ownersOf = (stream: FamilyStream) => [
    ...new Set(
      ownerFieldsOf(stream)
        .flatMap((field) => stream.relations[field]?.to ?? [])
        .filter((name) => byName.has(name)),
    ),
  ];
  const partsOf = (name: string) => streams.filter((stream) => ownersOf(stream).includes(name));

  /** How many levels of records are below one of this stream. */
  const height = (name: string, above: readonly string[] = []): number => {
    const parts = partsOf(name).filter(
      ({ name: part, kind, parent }) => kind === "record" && parent !== null && !above.includes(part),
    );
    return Math.max(0, ...parts.map((part) => 1 + height(part.name, [...above, name])));
  };
  const isContainer = (name: string) => height(name) > 1;

  const isRoot = (stream: FamilyStream): boolean => {
    if (stream.kind === "people" || isContainer(stream.name)) return false;
    if (ownerFieldsOf(stream).length === 0) return true;
    const owners = ownersOf(stream);
    return stream.parent !== null && owners.length > 0 && owners.every(isContainer);
  };

  const roots = streams.filter(isRoot);
  const threads = roots.filter(({ name }) => height(name) === 1);
  const weigh = ({ relations }: FamilyStream) => Object.keys(relations).length;
  const [main] = (threads.length > 0 ? threads : roots).toSorted((a, b) => weigh(b) - weigh(a));
  return {
    main: main?.name ?? null,
    roots: roots.map(({ name }) => name),
    childrenOf: (name) => (isContainer(name) ? [] : partsOf(name)),
    find: (name) => byName.get(name),
  };
};
