import { type DateRange, isWithin } from "../date-range.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { Check } from "./check.ts";
import { assert } from "./assert.ts";
import { eachSource } from "./each-source.ts";

const inTheMiddle = (moments: readonly (string | null)[]) => {
  const sorted = moments.filter((moment) => moment !== null).toSorted();
  return sorted[Math.floor(sorted.length / 2)] ?? null;
};

/** Ranges with and without an end, whose bounds are dates of the records themselves. */
const rangesOf = (records: readonly FamilyRecord[]): readonly DateRange[] => {
  const made = inTheMiddle(records.map(({ createdAt }) => createdAt));
  const changed = inTheMiddle(records.map(({ updatedAt }) => updatedAt));
  const open = { createdFrom: null, createdBefore: null, changedFrom: null };
  const later = made === null ? null : new Date(Date.parse(made) + 30 * 24 * 3_600_000).toISOString();
  return [
    open,
    { ...open, createdFrom: made },
    { ...open, createdBefore: made },
    { ...open, createdFrom: made, createdBefore: later },
    { ...open, changedFrom: changed },
  ];
};

const second = 1_000;

/** The range with its bounds moved outwards by this much: tools show whole seconds but may store fractions. */
const moved = ({ createdFrom, createdBefore, changedFrom }: DateRange, ms: number): DateRange => {
  const by = (moment: string | null, more: number) =>
    moment === null ? null : new Date(Date.parse(moment) + more).toISOString();
  return {
    createdFrom: by(createdFrom, -ms),
    createdBefore: by(createdBefore, ms),
    changedFrom: by(changedFrom, -ms),
  };
};

export const countChecks: readonly Check[] = [
  {
    name: "count",
    shows: "an exact count is exact",
    role: "source",
    run: eachSource(async (session, stream, name) => {
      const count = await stream.count?.(session.io());
      if (!count?.exact) return;
      const { length } = (await session.readOnce(stream)).records;
      assert(count.value === length, `${name}: counted ${count.value}, read ${length}.`);
    }),
  },
  {
    name: "count-within",
    shows: "a count within a date range is exact to the second",
    role: "source",
    run: eachSource(async (session, stream, name) => {
      if (!stream.countWithin) return;
      const { records } = await session.readOnce(stream);
      const within = (range: DateRange) =>
        new Set(records.filter((record) => isWithin(range, record)).map(({ id }) => id)).size;
      for (const range of rangesOf(records)) {
        const counted = await stream.countWithin(session.io(), range);
        if (counted === null) continue;
        const least = within(moved(range, -second));
        const most = within(moved(range, second));
        assert(
          counted >= least && counted <= most,
          `${name}: counted ${counted}, read ${least} to ${most} within ${JSON.stringify(range)}.`,
        );
      }
    }),
  },
];
