import type { DestinationStream, Write } from "../destination.ts";
import { isConnectorError } from "../errors.ts";
import type { FamilyRecord } from "../families/stream.ts";
import { type Fault, forbidden, writeFaults } from "./interrupted-transport.ts";
import {
  type ChooseFault,
  eachRequest,
  type InterruptedWrite,
  interruptWrite,
  type SettledCopy,
  settleWrite,
  waitForGrace,
} from "./interrupted-writes.ts";
import { createSession, type Session } from "./session.ts";
import type { Subject } from "./subject.ts";

export interface RefusalOptions {
  /** Every fault on every request; else the faults take turns over the requests. */
  readonly every: boolean;
  /** Which fault begins. */
  readonly seed: number;
}

/** What refused requests led to: how many, and the violations, one sentence each. */
export interface RefusalReport {
  readonly seed: number;
  readonly writes: number;
  readonly refused: number;
  /** A key with more than one record. */
  readonly doubled: readonly string[];
  /** A record that the connector reported as rejected, though it was there. */
  readonly rejectedButThere: readonly string[];
  /** A record that is not there after a retry, or no longer after a refused change. */
  readonly missing: readonly string[];
  /** A record that is still there after its removal. */
  readonly left: readonly string[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

/** A tool that only matches people, since creating them would mail them, says so before it sends anything. */
const onlyMatches = ({ stream, faults, result }: InterruptedWrite): boolean =>
  stream.people !== undefined && faults === 0 && !isConnectorError(result) && result.kind === "rejected";

const passesOf = ({ every, seed }: RefusalOptions): readonly ChooseFault[] => {
  if (every) return writeFaults.map((fault) => () => fault);
  let turn = seed;
  return [
    () => {
      turn += 1;
      return writeFaults[turn % writeFaults.length] ?? forbidden;
    },
  ];
};

interface Copy {
  readonly made: InterruptedWrite;
  readonly settled: SettledCopy;
}

/** Refuses requests in the middle of writes, settles them as the engine does, and then removes all copies. */
export const refuseWrites = async (session: Session, options: RefusalOptions): Promise<RefusalReport> => {
  const passes = passesOf(options);
  const report: Mutable<RefusalReport> = {
    seed: options.seed,
    writes: 0,
    refused: 0,
    doubled: [],
    rejectedButThere: [],
    missing: [],
    left: [],
  };

  const interrupt = async (
    stream: DestinationStream,
    write: Write<FamilyRecord>,
    position: number,
    fault: Fault,
  ) => {
    const made = await interruptWrite(session, stream, write, { position, fault, repeats: true });
    report.writes += 1;
    report.refused += made.faults;
    return made;
  };

  const count = async (when: string, { stream, write, name }: InterruptedWrite): Promise<number> => {
    const copies = await session.copies(stream, write);
    if (copies > 1) report.doubled.push(`${name}: ${copies} records ${when}.`);
    return copies;
  };

  const create = async (): Promise<readonly InterruptedWrite[]> => {
    const all: InterruptedWrite[] = [];
    for (const stream of session.destinations)
      await eachRequest(session, passes, async (position, fault) => {
        const write = await session.newWrite(stream);
        if (!write) return null;
        const made = await interrupt(stream, write, position, fault);
        const isRejected = !isConnectorError(made.result) && made.result.kind === "rejected";
        if ((await count("after the write", made)) > 0 && isRejected)
          report.rejectedButThere.push(`${made.name}: it is there.`);
        all.push(made);
        return made;
      });
    return all;
  };

  const settle = async (all: readonly InterruptedWrite[]): Promise<readonly Copy[]> => {
    await waitForGrace(session, all);
    const copies: Copy[] = [];
    for (const made of all.filter((each) => !onlyMatches(each))) {
      const settled = await settleWrite(session, made);
      if ((await count("after a retry", made)) === 0 && !settled.isMatched)
        report.missing.push(`${made.name}: it is not there after a retry.`);
      copies.push({ made, settled });
    }
    return copies;
  };

  const change = async (copies: readonly Copy[]): Promise<void> => {
    for (const stream of session.destinations) {
      const known = copies.find(
        ({ made, settled }) => made.stream === stream && settled.id !== null && !settled.isMatched,
      );
      if (!known) continue;
      await eachRequest(session, passes, async (position, fault) => {
        const write = { ...known.made.write, id: known.settled.id };
        const made = await interrupt(stream, write, position, fault);
        if ((await count("after a refused change", made)) === 0)
          report.missing.push(`${made.name}: it is gone after a refused change.`);
        return made;
      });
    }
  };

  const remove = async (copies: readonly Copy[]): Promise<void> => {
    for (const { made, settled } of copies.toReversed()) {
      const { stream, write, name } = made;
      if (!stream.remove || settled.id === null || settled.isMatched) continue;
      const [removed] = await stream.remove(session.io(), [{ id: settled.id, key: write.key }]);
      const isGone = removed?.kind === "removed" && (await count("after its removal", made)) === 0;
      if (!isGone) report.left.push(`${name}: ${removed?.kind ?? "no answer"} by its removal, but there.`);
    }
  };

  const copies = await settle(await create());
  await change(copies);
  await remove(copies);
  return report;
};

/** Refuses the requests of writes to a tool, apart from the rest of the suite. */
export const runRefusals = <S>(subject: Subject<S>, options: RefusalOptions): Promise<RefusalReport> =>
  refuseWrites(createSession(subject), options);
