import type { Outcome, Write } from "../destination.ts";
import { type ConnectorError, isConnectorError, outcomeUnknown } from "../errors.ts";
import { inChunks } from "../in-chunks.ts";
import type { Io } from "../io.ts";
import { isRefusal, recover } from "../refusals.ts";
import { inDoubt, rejected } from "./outcomes.ts";

export interface Together<T, D, A, S> {
  /** How many records a call takes. */
  readonly atMost: number;
  /** One record in the tool's form. A refusal here concerns only this record. */
  draft(io: Io<S>, write: Write<T>): D | Promise<D>;
  /** One call, which answers for each draft, in their order. Undefined: it does not tell about this one. */
  send(io: Io<S>, drafts: readonly D[]): Promise<readonly (A | undefined)[]>;
  /** What the answer means for one record. */
  outcome(io: Io<S>, write: Write<T>, answer: A): Outcome<T> | Promise<Outcome<T>>;
}

const noResult = inDoubt("The tool gave no result for this record.");

const refused = ({ code, message }: ConnectorError) => rejected(code, message);

interface Drafted<T, D> {
  readonly write: Write<T>;
  readonly draft: D;
}

const outcomeOf = async <T, D, A, S>(
  io: Io<S>,
  write: Write<T>,
  answer: A,
  { outcome }: Together<T, D, A, S>,
): Promise<Outcome<T>> => outcome(io, write, answer);

/** If the tool refuses the call, it has created none, and each is sent alone: one must not hold up the others. */
const sendAll = async <T, D, A, S>(
  io: Io<S>,
  drafted: readonly Drafted<T, D>[],
  together: Together<T, D, A, S>,
): Promise<readonly Outcome<T>[]> => {
  if (drafted.length === 0) return [];
  const drafts = drafted.map(({ draft }) => draft);
  const answers = await together.send(io, drafts).catch((error: unknown) => {
    if (isRefusal(error) || (isConnectorError(error) && error.code === outcomeUnknown)) return error;
    throw error;
  });
  if (!isConnectorError(answers))
    return Promise.all(
      drafted.map(async ({ write }, index) => {
        const answer = answers[index];
        if (answer === undefined) return noResult;
        // The record may exist by now: a refusal of what follows does not undo it.
        return recover(outcomeOf(io, write, answer, together), isRefusal, (error) =>
          inDoubt((error as ConnectorError).message),
        );
      }),
    );
  const { message, recovery } = answers;
  if (recovery !== "skip-record") return drafted.map(() => inDoubt(message));
  if (drafted.length === 1) return [refused(answers)];
  return (await Promise.all(drafted.map((each) => sendAll(io, [each], together)))).flat();
};

/** Writes records by calls that take several and answer for each, all calls at a time. */
export const writeTogether = async <T, D, A, S>(
  io: Io<S>,
  batch: readonly Write<T>[],
  together: Together<T, D, A, S>,
): Promise<readonly Outcome<T>[]> => {
  const outcomes = new Map<Write<T>, Outcome<T>>();
  const draftOne = async (write: Write<T>): Promise<Drafted<T, D> | null> => {
    try {
      return { write, draft: await together.draft(io, write) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      outcomes.set(write, refused(error));
      return null;
    }
  };
  await Promise.all(
    inChunks(batch, together.atMost).map(async (chunk) => {
      const drafted = (await Promise.all(chunk.map(draftOne))).filter((each) => each !== null);
      const done = await sendAll(io, drafted, together);
      for (const [index, { write }] of drafted.entries()) outcomes.set(write, done[index] ?? noResult);
    }),
  );
  return batch.map((write) => outcomes.get(write) ?? noResult);
};
