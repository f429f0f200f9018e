import { setTimeout as wait } from "node:timers/promises";
import type { DestinationStream } from "../destination.ts";
import { ConnectorError } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import type { Check } from "./check.ts";
import { demand } from "./demand.ts";
import { askedFor, eachWritten, wasWritten } from "./written-entries.ts";

/** Lets a write through and loses its answer. */
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

/** What was written is found by its key: the ground of exactly-once. */
export const findChecks: readonly Check[] = [
  {
    name: "find-exact",
    shows: "find finds nothing for a key that was never written",
    role: "destination",
    run: eachWritten("plain", async (session, stream, entries, name) => {
      const first = entries[0];
      if (!first) return;
      const never = { ...askedFor(stream, first), key: "c-never-written" };
      // Alone, and beside keys that are there: their rows are not its rows.
      for (const asked of [[never], [never, askedFor(stream, first)]]) {
        const found = await stream.find(session.io(), asked);
        demand((found.get(never.key) ?? []).length === 0, `${name}: found what was never written.`);
      }
    }),
  },
  {
    name: "order",
    shows: "outcomes are in the order of what was written, one each",
    role: "destination",
    after: ["find-exact"],
    run: eachWritten("plain", async (session, stream, entries, name) => {
      const found = await stream.find(
        session.io(),
        entries.map((entry) => askedFor(stream, entry)),
      );
      for (const { write, outcome } of entries) {
        demand(outcome, `${name}: no outcome for ${write.key}.`);
        if (outcome.kind === "written")
          demand(
            found.get(write.key)?.includes(outcome.id),
            `${name} ${write.key}: the outcome has another's id.`,
          );
      }
    }),
  },
];

/** Nothing is written twice. After the faithful ones, since writing again may touch a copy. */
export const doubtChecks: readonly Check[] = [
  {
    name: "twice",
    shows: "writing a key twice leaves one record",
    role: "destination",
    after: ["order"],
    run: eachWritten("plain", async (session, stream, entries, name) => {
      const entry = entries.find(wasWritten);
      if (!entry) return;
      if (stream.settles !== "find") await session.write(stream, [entry.write]);
      const ids = (await stream.find(session.io(), [askedFor(stream, entry)])).get(entry.write.key) ?? [];
      demand(ids.length === 1, `${name} ${entry.write.key}: ${ids.length} records.`);
    }),
  },
  {
    name: "doubt",
    shows: "a write whose answer is lost is never called failed, and can be found",
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
          demand(outcome?.kind === "written" || outcome?.kind === "unknown", `${name}: ${outcome?.kind}`);
        } catch (error) {
          demand(error instanceof ConnectorError && error.recovery === "retry", `${name}: ${String(error)}`);
        }
        asked.push([stream, name, askedFor(stream, { write })]);
      }
      await wait(grace.findLagMs);
      for (const [stream, name, one] of asked) {
        const ids = (await stream.find(session.io(), [one])).get(one.key) ?? [];
        demand(ids.length <= 1, `${name}: ${ids.length} records after one write in doubt.`);
      }
      return undefined;
    },
  },
];
