import { maxPeopleFileBytes, type WizardMapping, type WizardPeopleFile } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import type { Outcome } from "../../../client/problem.ts";
import { takePeopleFile } from "./take-people-file.ts";

const list: WizardPeopleFile = {
  choices: { "1": { to: "nobody" } },
  unchanged: 0,
  problems: [],
  problemCount: 0,
};

interface Story {
  readonly answer?: Outcome<unknown>;
  /** What each attempt to save comes to. */
  readonly saves?: readonly boolean[];
}

/** Plays one file; tells what was done in which order. */
const play = async (
  file: File,
  { answer = { kind: "ok", value: list }, saves = [true, true] }: Story = {},
) => {
  const done: string[] = [];
  const left = [...saves];
  const result = await takePeopleFile(
    {
      language: "en",
      touch: (ids) => void done.push(`touch ${ids.join()}`),
      client: {
        request: <T>() => {
          done.push("send");
          return Promise.resolve(answer as Outcome<T>);
        },
      },
      store: {
        edit: (change) => {
          const before = { people: { choices: {} } } as WizardMapping;
          done.push(`choose ${Object.keys(change(before).people.choices).join()}`);
        },
        flush: () => {
          done.push("save");
          return Promise.resolve(left.shift() ?? true);
        },
      },
    },
    file,
  );
  return { result, done };
};

const file = new File(["id,match\n1,nobody\n"], "people.csv");

test("a list is read after earlier changes are saved, and its choices are saved", async () => {
  expect(await play(file)).toEqual({
    result: { kind: "taken", list, isUtf8: true, isSaved: true },
    done: ["save", "send", "touch 1", "choose 1", "save"],
  });
});

test("a list is not read while earlier changes can't be saved", async () => {
  expect(await play(file, { saves: [false] })).toEqual({ result: { kind: "not_started" }, done: ["save"] });
});

test("choices that can't be saved are not called saved", async () => {
  const { result } = await play(file, { saves: [true, false] });
  expect(result).toEqual({ kind: "taken", list, isUtf8: true, isSaved: false });
});

test("a file that the browser can't open is said to be so", async () => {
  const gone = new File(["id"], "people.csv");
  gone.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotReadableError"));
  expect(await play(gone)).toEqual({ result: { kind: "not_opened" }, done: ["save"] });
});

test("a refused list changes nothing", async () => {
  const answer = { kind: "offline" } as const;
  expect(await play(file, { answer })).toEqual({
    result: { kind: "refused", problem: answer, isUtf8: true },
    done: ["save", "send"],
  });
});

test("what the server would not take is not sent, also if only its text is too large", async () => {
  const large = new File(["x".repeat(maxPeopleFileBytes + 1)], "people.csv");
  expect(await play(large)).toEqual({ result: { kind: "too_large" }, done: [] });
  const windows = new File([new Uint8Array(maxPeopleFileBytes * 0.6).fill(0xeb)], "people.csv");
  expect(await play(windows)).toEqual({ result: { kind: "too_large" }, done: ["save"] });
  const most = new File(["x".repeat(maxPeopleFileBytes - '{"text":""}'.length)], "people.csv");
  expect((await play(most)).result).toMatchObject({ kind: "taken" });
});
