import { familyStreams, type SourceStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { expect, test } from "vitest";
import type { RunCause } from "../run.ts";
import { partsFor, planRun } from "./plan.ts";

/** Which rows a retry of these causes takes up, by stream. */
const retriedBy = (family: Family, causes: readonly RunCause[], rematched: readonly string[] = []) => {
  const pairs = familyStreams[family].map((stream) => ({
    name: stream.name,
    from: { stream } as unknown as SourceStream,
    to: null,
  }));
  const planned = planRun(
    pairs.map((pair) => ({ pair, slices: [], expected: null })),
    {
      kind: "retry_failed",
      parallelPartitions: 1,
      recordsPerPartition: 1,
      sweptBy: 1,
      swept: new Set(),
      runNumber: 2,
      everyStream: pairs,
      verifyAtMost: 10_000,
      hasFields: false,
      hasCanaries: false,
      keptSample: null,
      rematched: new Set(rematched),
      limits: { causes, found: [] },
    },
  );
  const copies = planned.filter(({ task }) => task === "copy");
  return Object.fromEntries(
    copies.map(({ stream, slice }) => [stream, (slice as { codes: string[] }).codes]),
  );
};

test("a retry of a cause takes up its records and those that can't be without them, however far below", () => {
  const rejected = (stream: string) => [{ stream, code: "rejected" }];
  const waited = ["parent_missing"];
  expect(retriedBy("helpdesk", rejected("tickets"))).toMatchObject({
    tickets: ["rejected"],
    comments: waited,
    attachments: waited,
  });
  expect(retriedBy("helpdesk", rejected("attachments"))).toEqual({ attachments: ["rejected"] });
  // A pipeline is no parent of its deals, nor are tasks of the links between them, but neither can be without.
  expect(retriedBy("crm", rejected("pipelines"))).toEqual({
    pipelines: ["rejected"],
    deals: waited,
    lineItems: waited,
    notes: waited,
    attachments: waited,
  });
  expect(retriedBy("projects", rejected("tasks"))).toEqual({
    tasks: ["rejected"],
    relations: waited,
    checklistItems: waited,
    comments: waited,
    attachments: waited,
  });
});

test("people who are matched otherwise by now come first, also those who had no match", () => {
  const rejected = [{ stream: "timeEntries", code: "rejected" }];
  const planned = retriedBy("helpdesk", rejected, ["users"]);
  expect(planned).toEqual({ users: [], timeEntries: ["rejected"] });
  expect(Object.keys(planned)).toEqual(["users", "timeEntries"]);
  expect(retriedBy("helpdesk", rejected)).toEqual({ timeEntries: ["rejected"] });
});

test("what can be without a record is not taken up with it", () => {
  expect(retriedBy("crm", [{ stream: "users", code: "rejected" }])).toEqual({ users: ["rejected"] });
});

test("a stream is split by its size, and one that is read by its parents by their number", () => {
  const [tickets, comments] = ["tickets", "comments"].map((name) => {
    const stream = familyStreams.helpdesk.find((each) => each.name === name);
    const perParent = name === "comments" ? { perParent: "tickets" } : {};
    return { name, from: { stream, ...perParent } as unknown as SourceStream, to: null };
  });
  if (!tickets || !comments) throw new Error("The family lacks a stream.");
  const parallel = { parallelPartitions: 8, recordsPerPartition: 100 };
  const partsOfComments = (expected: number | null) =>
    planRun(
      [
        { pair: tickets, slices: [], expected },
        { pair: comments, slices: [], expected: 5_000 },
      ],
      {
        ...parallel,
        kind: "full",
        sweptBy: null,
        swept: new Set(),
        runNumber: 1,
        everyStream: [tickets, comments],
        verifyAtMost: 10_000,
        hasFields: false,
        hasCanaries: false,
        keptSample: null,
        rematched: new Set(),
        limits: null,
      },
    ).filter(({ task, stream }) => task === "copy" && stream === "comments").length;
  const sizes = [0, 1, 100, 101, 700, 100_000, null];
  expect(sizes.map((size) => partsFor(size, parallel))).toEqual([1, 1, 1, 2, 7, 8, 8]);
  expect(sizes.map(partsOfComments)).toEqual([1, 1, 1, 2, 7, 8, 8]);
});
