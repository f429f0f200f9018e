import { expect, test } from "vitest";
import type { Io, KeptAnswers } from "../io.ts";
import { keepInMemory } from "../keep-in-memory.ts";
import { shareAnswer } from "./share-answer.ts";

interface Thread {
  readonly said: readonly string[];
  readonly files: readonly string[];
  readonly ended: boolean;
}

const given = (mayKeep?: (thread: Thread) => boolean) => {
  const asked: string[] = [];
  const threads = shareAnswer("threads", {
    load: async (_io: Io, id: string): Promise<Thread> => {
      asked.push(id);
      return { said: [`hello ${asked.length}`], files: [`file ${asked.length}`], ended: id === "last" };
    },
    parts: { comments: ({ said }: Thread) => said, attachments: ({ files }: Thread) => files },
    ...(mayKeep ? { mayKeep } : {}),
  });
  return { asked, ...threads };
};

const ioWith = (kept?: KeptAnswers) => ({ scope: {}, ...(kept ? { kept } : {}) }) as unknown as Io;
const copy = { pass: "copy" } as const;

test("one answer tells of both streams, once", async () => {
  const { asked, comments, attachments } = given();
  const kept = keepInMemory();
  expect(await comments(ioWith(kept), copy, "7")).toEqual(["hello 1"]);
  expect(await attachments(ioWith(kept), copy, "7")).toEqual(["file 1"]);
  expect(asked).toEqual(["7"]);
  // Read again after a crash: what was kept is gone.
  expect(await attachments(ioWith(kept), copy, "7")).toEqual(["file 2"]);
  expect(asked).toEqual(["7", "7"]);
});

test("an answer that is newer takes the place of what was kept", async () => {
  const { comments, attachments } = given();
  const kept = keepInMemory();
  await comments(ioWith(kept), copy, "7");
  await comments(ioWith(kept), copy, "7");
  expect(await attachments(ioWith(kept), copy, "7")).toEqual(["file 2"]);
});

test("each pass asks for itself, and so does who is in none, and a process that keeps nothing", async () => {
  const { asked, comments, attachments } = given();
  const kept = keepInMemory();
  await comments(ioWith(kept), copy, "7");
  await attachments(ioWith(kept), { pass: "sweep" }, "7");
  await attachments(ioWith(kept), {}, "7");
  await attachments(ioWith(kept), null, "7");
  await attachments(ioWith(), copy, "7");
  expect(asked).toHaveLength(5);
});

test("an answer that may not be kept is asked for again", async () => {
  const { asked, comments, attachments } = given(({ ended }) => !ended);
  const kept = keepInMemory();
  for (const id of ["first", "last"]) {
    await comments(ioWith(kept), copy, id);
    await attachments(ioWith(kept), copy, id);
  }
  expect(asked).toEqual(["first", "last", "last"]);
});
