import { expect, test } from "vitest";
import { createParkedReaders, type RowReader } from "./parked-readers.ts";

const openReader = () => {
  let closed = 0;
  const rows = {
    return: async () => {
      closed += 1;
      return { done: true, value: undefined };
    },
  } as unknown as RowReader["rows"];
  return { reader: { rows, left: [] } satisfies RowReader, closed: () => closed };
};

test("a parked reader is taken once and goes on", () => {
  const parked = createParkedReaders();
  const { reader, closed } = openReader();
  parked.park("a", reader);
  expect(parked.take("none")).toBeNull();
  expect(parked.take("a")).toBe(reader);
  expect(parked.take("a")).toBeNull();
  expect(closed()).toBe(0);
});

test("a parked reader that is not taken closes after its time", async () => {
  const parked = createParkedReaders(2, 10);
  const { reader, closed } = openReader();
  parked.park("b", reader);
  await expect.poll(closed).toBe(1);
  expect(parked.take("b")).toBeNull();
});

test("a reader beyond the limit closes the oldest, and one at the same place the one before it", () => {
  const parked = createParkedReaders(2);
  const [one, two, three, four] = [openReader(), openReader(), openReader(), openReader()];
  parked.park("a", one.reader);
  parked.park("b", two.reader);
  parked.park("c", three.reader);
  parked.park("c", four.reader);
  expect([one, two, three, four].map(({ closed }) => closed())).toEqual([1, 0, 1, 0]);
  expect(parked.take("b")).toBe(two.reader);
  expect(parked.take("c")).toBe(four.reader);
});
