import { expect, test } from "vitest";
import { releasedBody } from "./released-body.ts";

const watched = () => {
  const seen = { released: 0, closed: 0 };
  async function* source() {
    try {
      yield new Uint8Array([1]);
      yield new Uint8Array([2]);
    } finally {
      seen.closed += 1;
    }
  }
  const body = releasedBody(
    source(),
    () => {
      seen.released += 1;
    },
    (error) => new Error("explained", { cause: error }),
  );
  return { seen, body };
};

test("releases after the last chunk", async () => {
  const { seen, body } = watched();
  let bytes = 0;
  for await (const piece of body) bytes += piece.length;
  expect({ bytes, ...seen }).toEqual({ bytes: 2, released: 1, closed: 1 });
});

test("releases when the reader stops half way", async () => {
  const { seen, body } = watched();
  for await (const _ of body) break;
  expect(seen).toEqual({ released: 1, closed: 1 });
});

test("releases when the reader stops before the first chunk", async () => {
  const { seen, body } = watched();
  await body.return?.();
  expect(seen).toEqual({ released: 1, closed: 1 });
});

test("translates an error and releases", async () => {
  let released = 0;
  const broken: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("reset")) }),
  };
  const body = releasedBody(
    broken,
    () => {
      released += 1;
    },
    () => new Error("explained"),
  );
  await expect(body.next()).rejects.toThrow("explained");
  expect(released).toBe(1);
});
