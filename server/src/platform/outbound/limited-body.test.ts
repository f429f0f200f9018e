import { Readable } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { limitedBody } from "./limited-body.ts";

const mb = 1024 * 1024;
const collect = vi.fn<() => void>();
vi.stubGlobal("gc", collect);
afterEach(() => collect.mockClear());

const stream = async (bytes: number) => {
  const chunks = Array.from({ length: bytes / 65_536 }, () => Buffer.alloc(65_536));
  const needs = {
    host: "tool",
    maxBytes: 100 * mb,
    translate: (error: unknown) => error as Error,
    done: () => {},
  };
  for await (const _ of limitedBody(Readable.from(chunks), needs));
};

test("the chunks of a file are collected while it is streamed, not when they have piled up", async () => {
  await stream(21 * mb);
  expect(collect.mock.calls).toEqual(Array.from({ length: 5 }, () => [{ type: "minor" }]));
});

test("pages of records cause no collection, however many there are", async () => {
  for (let page = 0; page < 40; page += 1) await stream(mb);
  expect(collect).not.toHaveBeenCalled();
});
