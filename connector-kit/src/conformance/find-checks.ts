import { isConnectorError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Check } from "./check.ts";
import { assert } from "./assert.ts";
import { forbidden, interrupted, lostAnswer } from "./interrupted-transport.ts";
import {
  eachRequest,
  type InterruptedWrite,
  interruptWrite,
  settleWrite,
  waitForGrace,
} from "./interrupted-writes.ts";
import type { Session } from "./session.ts";
import { askedFor } from "./asked-for.ts";
import { eachWritten, wasWritten } from "./written-entries.ts";

/** Refuses each request of a look-up in turn: it must throw, unless it finds the record all the same. */
const refuseEach = async (
  session: Session,
  name: string,
  isFound: (io: Io) => Promise<boolean>,
): Promise<void> => {
  const { transport, answerMs = 60_000 } = session.subject;
  for (let position = 1; position <= maxRequests; position += 1) {
    const through = interrupted({
      transport,
      fault: forbidden,
      position,
      counts: () => true,
      repeats: true,
      answerMs,
    });
    const found = await isFound(session.io(through, { attempts: 1 })).catch((error: unknown) => {
      if (isConnectorError(error)) return true;
      throw error;
    });
    assert(found, `${name}: takes a 403 on request ${position} for absence.`);
    if (through.faults() === 0) return;
  }
};

/** No look-up needs as many requests; it only ends a loop of a broken connector. */
const maxRequests = 40;

/** `find` finds written records by their key: exactly-once writing depends on it. */
export const findChecks: readonly Check[] = [
  {
    name: "find-exact",
    shows: "find finds nothing for a key that was never written",
    role: "destination",
    run: eachWritten("plain", async (session, stream, entries, name) => {
      const first = entries[0];
      if (!first) return;
      const never = { ...askedFor(stream, first), key: "c-never-written" };
      // Alone and together with existing keys, whose rows must not count for it.
      for (const asked of [[never], [never, askedFor(stream, first)]]) {
        const found = await stream.find(session.io(), asked);
        assert((found.get(never.key) ?? []).length === 0, `${name}: found a key that was never written.`);
      }
    }),
  },
  {
    name: "order",
    shows: "each written record has one outcome, in order",
    role: "destination",
    after: ["find-exact"],
    run: eachWritten("plain", async (session, stream, entries, name) => {
      const found = await stream.find(
        session.io(),
        entries.map((entry) => askedFor(stream, entry)),
      );
      for (const { write, outcome } of entries) {
        assert(outcome, `${name}: no outcome for ${write.key}.`);
        if (outcome.kind === "written")
          assert(
            found.get(write.key)?.includes(outcome.id),
            `${name} ${write.key}: the outcome has the id of another record.`,
          );
      }
    }),
  },
  {
    name: "find-refused",
    shows: "find and read never take a refusal for absence",
    role: "destination",
    after: ["order"],
    run: eachWritten("plain", async (session, stream, entries, name) => {
      const entry = entries.find(wasWritten);
      if (!entry) return;
      const { write, outcome } = entry;
      await refuseEach(session, `${name}: find`, async (io) => {
        const found = await stream.find(io, [askedFor(stream, entry)]);
        return found.get(write.key)?.includes(outcome.id) ?? false;
      });
      await refuseEach(session, `${name}: read`, async (io) => {
        const [record] = await stream.read(io, [outcome.id]);
        return record !== null && record !== undefined;
      });
    }),
  },
];

/** No record is written twice. These run after the faithful checks, since writing again may change a copy. */
export const doubtChecks: readonly Check[] = [
  {
    name: "twice",
    shows: "writing a key twice leaves one record",
    role: "destination",
    after: ["order"],
    run: eachWritten("plain", async (session, stream, entries, name) => {
      const entry = entries.find(wasWritten);
      if (!entry) return;
      if (stream.idempotency !== "lookup") await session.write(stream, [entry.write]);
      const ids = (await stream.find(session.io(), [askedFor(stream, entry)])).get(entry.write.key) ?? [];
      assert(ids.length === 1, `${name} ${entry.write.key}: ${ids.length} records.`);
    }),
  },
  {
    name: "doubt",
    shows:
      "a write that loses any of its answers is never rejected, and leaves one record once it is settled",
    role: "destination",
    after: ["order", "read-back", "twice"],
    async run(session) {
      const all: InterruptedWrite[] = [];
      for (const stream of session.destinations)
        await eachRequest(session, [() => lostAnswer], async (position, fault) => {
          const write = await session.newWrite(stream);
          if (!write) return null;
          const made = await interruptWrite(session, stream, write, { position, fault, repeats: false });
          if (made.faults > 0) all.push(made);
          return made;
        });
      for (const { name, result } of all)
        if (isConnectorError(result)) assert(result.recovery === "retry", `${name}: ${String(result)}`);
        else assert(result.kind !== "rejected", `${name}: ${JSON.stringify(result)}`);
      await waitForGrace(session, all);
      for (const made of all) {
        const { name, stream, write } = made;
        const before = await session.copies(stream, write);
        assert(before <= 1, `${name}: ${before} records after one write in doubt.`);
        const { isMatched } = await settleWrite(session, made);
        const after = await session.copies(stream, write);
        assert(after === 1 || (isMatched && after === 0), `${name}: ${after} records after it is settled.`);
      }
      return undefined;
    },
  },
];
