import { setTimeout as wait } from "node:timers/promises";
import type { DestinationStream, Outcome, Write } from "../destination.ts";
import { type ConnectorError, isConnectorError } from "../errors.ts";
import type { FamilyRecord } from "../families/stream.ts";
import { type Fault, forbidden, interrupted, isChange } from "./interrupted-transport.ts";
import type { Session } from "./session.ts";
import { findOne } from "./settled-write.ts";

/** No write needs as many requests; it only ends a loop of a broken connector. */
const maxRequests = 40;

/** The client's time-out, where a fault is one. */
const shortMs = 200;

/** A write to one of whose requests a fault happened. */
export interface InterruptedWrite {
  readonly stream: DestinationStream;
  readonly write: Write<FamilyRecord>;
  /** For messages: which record, which request and which fault. */
  readonly name: string;
  /** An error concerns the whole batch, of which this write was all. */
  readonly result: Outcome<FamilyRecord> | ConnectorError;
  /** How many requests that change something the write made, and how many of them the fault happened to. */
  readonly requests: number;
  readonly faults: number;
  readonly mayBeLate: boolean;
}

interface Interruption {
  /** Of the requests that change something, the one that the fault happens to; from 1. */
  readonly position: number;
  readonly fault: Fault;
  /** False: the fault happens once, and the client retries. True: each time, and it does not. */
  readonly repeats: boolean;
}

/** Writes a record while a fault happens to one of its requests. */
export const interruptWrite = async (
  { io, subject }: Session,
  stream: DestinationStream,
  write: Write<FamilyRecord>,
  { position, fault, repeats }: Interruption,
): Promise<InterruptedWrite> => {
  const { transport, answerMs = 60_000 } = subject;
  const through = interrupted({ transport, fault, position, repeats, counts: isChange, answerMs });
  const own = io(through, repeats ? { attempts: 1, answerMs: shortMs } : {});
  const name = `${stream.stream.name} ${write.key}, ${fault.name} on request ${position}`;
  const result = await stream
    .write(own, [write])
    .then(([outcome]) => outcome ?? ({ kind: "unknown", why: "There is no outcome." } as const))
    .catch((error: unknown) => {
      if (isConnectorError(error)) return error;
      throw error;
    });
  return {
    stream,
    write,
    name,
    result,
    requests: through.requests(),
    faults: through.faults(),
    mayBeLate: through.mayBeLate(),
  };
};

/** Chooses the faults of one pass over the requests of a write. */
export type ChooseFault = () => Fault;

/** Lets a fault happen to the first request of a write, the second, … until writes make no more, in every pass. */
export const eachRequest = async (
  { some, subject }: Session,
  passes: readonly ChooseFault[],
  interrupt: (position: number, fault: Fault) => Promise<InterruptedWrite | null>,
): Promise<void> => {
  // Nothing happens to this write, which shows how many requests it makes; others may make fewer.
  const whole = await interrupt(maxRequests, forbidden);
  const requests = whole?.requests ?? 0;
  for (const choose of passes) {
    const positions = Array.from({ length: maxRequests - 1 }, (_, index) => index + 1);
    const isWhole = (subject.share ?? 1) >= 1;
    for (const position of isWhole ? positions : some(positions.slice(0, requests))) {
      const made = await interrupt(position, choose());
      if (!made || (isWhole && made.faults === 0 && position >= requests)) break;
    }
  }
};

/** Waits for the tool's search and, if the tool left the effect of a request open, until it can't come any more. */
export const waitForGrace = async (
  { subject }: Session,
  writes: readonly InterruptedWrite[],
): Promise<void> => {
  const { lateWriteMs, findLagMs } = subject.connector.manifest.grace;
  await wait(findLagMs + (writes.some(({ mayBeLate }) => mayBeLate) ? lateWriteMs : 0));
};

/** The copy of a write after it is settled; `matched` is a record that the import did not create. */
export interface SettledCopy {
  readonly id: string | null;
  readonly isMatched: boolean;
}

/**
 * Settles a write as the engine does: it looks the record up by its key, and completes what it finds, or writes it again.
 * A copy that the tool does not let be changed stays known.
 */
export const settleWrite = async (
  session: Session,
  { stream, write, result }: InterruptedWrite,
): Promise<SettledCopy> => {
  if ("id" in result) return { id: result.id, isMatched: result.kind === "matched" };
  const [found = null] = await findOne(session.io(), stream, write);
  const [outcome] = await session.write(stream, [{ ...write, id: found }]);
  if (outcome && "id" in outcome)
    return { id: outcome.id, isMatched: outcome.kind === "matched" && outcome.id !== found };
  return { id: found, isMatched: false };
};
