import { helpdesk } from "@portage/connector-kit";
import { planRun } from "../../server/src/features/runs/prepare/plan.ts";
import type { StreamPair } from "../../server/src/features/runs/chunk/chunk-context.ts";
import type { RunKind, Task } from "../../server/src/features/runs/run.ts";

/** The plan reads no more of a stream than this: whether it is read per parent, and whether copies can be removed. */
const pair = (stream: { readonly name: string }) =>
  ({ name: stream.name, from: { stream }, to: { stream, remove: true } }) as unknown as StreamPair;

const pairs = [pair(helpdesk.tickets), pair(helpdesk.comments)];

const tasks: Readonly<Record<Task, string>> = {
  prepare:
    "reads what both tools have now, chooses the mapping, creates the fields that it asks for and plans the steps below",
  choose: "selects the records of a sample, and what belongs to them",
  silence:
    "writes a few records of its own, waits for messages about them, and removes them: only if the tool's silence can be measured",
  copy: "reads the source page by page and writes the records that are new or changed",
  sweep:
    "reads the source's ids once more, copies what moved meanwhile, and counts: the report's first number",
  link: "sets references whose targets were copied later, and removes replaced copies of people",
  verify: "reads records once more in both tools and compares them",
  remove:
    "removes copies, after looking whether a person edited them; in a sample, first only notes what its copies name, which stays",
  remove_fields: "removes the fields that the import created, if nothing else uses them",
};

const kinds: readonly { readonly kind: RunKind; readonly what: string }[] = [
  { kind: "sample", what: "a small, representative set for the customer's review" },
  { kind: "full", what: "everything" },
  { kind: "delta", what: "what changed since the last run" },
  { kind: "retry_failed", what: "what failed before" },
  { kind: "undo", what: "removes the copies" },
];

const stepsOf = (kind: RunKind): readonly string[] => {
  const planned = planRun(
    pairs.map((each) => ({ pair: each, slices: [], expected: null })),
    {
      kind,
      parallelPartitions: 1,
      recordsPerPartition: 100,
      sweptBy: null,
      swept: new Set(),
      runNumber: 1,
      everyStream: pairs,
      verifyAtMost: 10_000,
      hasCanaries: kind === "full",
      hasFields: true,
      keptSample: null,
      rematched: new Set(),
      limits: null,
    },
  );
  const steps = Map.groupBy(planned, ({ step }) => step);
  return [
    "prepare",
    ...[...steps.values()].map((same) => {
      const streams = same.map(({ stream }) => stream).filter((name) => name !== "");
      return `${same[0]?.task ?? ""}${streams.length === 0 ? "" : `: ${streams.join(", ")}`}`;
    }),
  ];
};

const diagram = (steps: readonly string[]) => [
  "```mermaid",
  "flowchart LR",
  ...steps.map((step, index) => `  s${index}["${step}"]`),
  ...steps.slice(1).map((_, index) => `  s${index} --> s${index + 1}`),
  "```",
];

/** docs/architecture/a-run.md: the steps of each kind of run, from the code that plans them. */
export const runPage = (): string => `# A run

Made from \`server/src/features/runs/prepare/plan.ts\` by \`npm run docs:generate\`: change the plan, not this page.

A run is one execution of work for an import; an import has at most one at a time. It consists of steps, and a step of **partitions**: a
stream, or a slice of one, with its own cursor and counters. Partitions of a step run in parallel, as many as \`RUN_PARTITIONS\` says and
the tools' limits allow. The next step begins when all of them have ended.

A worker works on a partition in **chunks** of up to a minute. A chunk holds a lease; at its end it hands over to the next chunk,
which may run on another worker. If a worker dies, another one takes the partition over when the lease has ended
([ADR 12](../adr/0012-how-the-engine-is-used.md)). Pausing and stopping take effect at the next page.

| task | what it does |
| --- | --- |
${Object.entries(tasks)
  .map(([task, what]) => `| \`${task}\` | ${what} |`)
  .join("\n")}

The steps below are those of an import with two streams: tickets, and comments that belong to them. Streams are copied in the order in
which they refer to each other.

${kinds
  .flatMap(({ kind, what }) => [`## \`${kind}\`: ${what}`, "", ...diagram(stepsOf(kind)), ""])
  .join("\n")
  .trimEnd()}
`;
