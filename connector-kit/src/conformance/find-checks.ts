import { setTimeout as wait } from "node:timers/promises";
import type { DestinationStream } from "../destination.ts";
import { ConnectorError } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import type { Check } from "./check.ts";
import { assert } from "./assert.ts";
import { askedFor, eachWritten, wasWritten } from "./written-entries.ts";

/** Sends a write and drops its answer. */
const losingAnswers = (transport: Transport): Transport => {
  let lost = false;
  return {
    async send(request) {
      const answer = await transport.send(request);
      if (lost || request.method === "GET" || request.method === "HEAD" || answer.status >= 400)
        return answer;
      lost = true;
      for await (const _ of answer.body);
      throw Object.assign(new Error("The answer was lost."), { code: "unreachable", mayHaveArrived: true });
    },
  };
};

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
    shows: "a write with a lost answer is never rejected, and find can find it",
    role: "destination",
    after: ["order"],
    async run(session) {
      const { grace } = session.subject.connector.manifest;
      const asked: [DestinationStream, string, ReturnType<typeof askedFor>][] = [];
      for (const stream of session.destinations.filter(({ people }) => !people)) {
        const write = await session.newWrite(stream, 1);
        if (!write) continue;
        const name = `${stream.stream.name} ${write.key}`;
        try {
          const [outcome] = await stream.write(session.io(losingAnswers(session.subject.transport)), [write]);
          assert(outcome?.kind === "written" || outcome?.kind === "unknown", `${name}: ${outcome?.kind}`);
        } catch (error) {
          assert(error instanceof ConnectorError && error.recovery === "retry", `${name}: ${String(error)}`);
        }
        asked.push([stream, name, askedFor(stream, { write })]);
      }
      await wait(grace.findLagMs);
      for (const [stream, name, one] of asked) {
        const ids = (await stream.find(session.io(), [one])).get(one.key) ?? [];
        assert(ids.length <= 1, `${name}: ${ids.length} records after one write in doubt.`);
      }
      return undefined;
    },
  },
];
