import type { Io } from "../io.ts";
import type { At } from "../page.ts";

export interface SharedAnswer<S, K extends readonly (string | number)[], V, P> {
  load(io: Io<S>, ...key: K): Promise<V>;
  /** What each stream needs of the answer, in the order of copying; as JSON can hold it, and without secrets or links that end. */
  readonly parts: { readonly [N in keyof P]: (answer: V) => P[N] };
  /** False for an answer that may lack rows by the time that the next stream is read, such as the last page of a list. */
  mayKeep?(answer: V): boolean;
}

/**
 * One answer with rows of several streams. The stream that is read first keeps the rows of the later ones, which take them in place
 * of a call: once, within the engine's pass over the source, and if this process still has it. For streams of which each
 * change is found by the next delta all the same, since it moves the parent or comes with a list of changes.
 */
export const shareAnswer = <S, K extends readonly (string | number)[], V, P extends object>(
  name: string,
  { load, parts, mayKeep = () => true }: SharedAnswer<S, K, V, P>,
): { readonly [N in keyof P]: (io: Io<S>, at: Pick<At, "pass"> | null, ...key: K) => Promise<P[N]> } => {
  const streams = Object.keys(parts) as (keyof P & string)[];
  const reader =
    (stream: keyof P & string, later: readonly (keyof P & string)[]) =>
    async (io: Io<S>, at: Pick<At, "pass"> | null, ...key: K) => {
      const { pass } = at ?? {};
      const kept = pass === undefined ? undefined : io.kept;
      const keyOf = (part: string) => JSON.stringify([pass, name, part, ...key]);
      const text = kept?.take(keyOf(stream));
      if (text !== undefined) return JSON.parse(text) as P[typeof stream];
      const answer = await load(io, ...key);
      if (kept && mayKeep(answer))
        for (const each of later) kept.keep(keyOf(each), JSON.stringify(parts[each](answer)));
      return parts[stream](answer);
    };
  return Object.fromEntries(
    streams.map((stream, index) => [stream, reader(stream, streams.slice(index + 1))]),
  ) as never;
};
