import type { Reporter, TestSpecification } from "vitest/node";

/** Seconds per lane on two cores, alone: from "steps" and "the slowest files" at the end of a `.ci/run`. */
const usualSeconds: Readonly<Record<string, number>> = {
  fast: 30,
  exhaustive: 40,
  integration: 240,
  timings: 60,
  tools: 330,
  journeys: 450,
  wizard: 420,
  story: 150,
  stories: 300,
};

/** Prints at the start how long a whole lane takes. */
export class Announcer implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const counts = new Map<string, number>();
    for (const { project } of specifications) counts.set(project.name, (counts.get(project.name) ?? 0) + 1);
    for (const [lane, files] of counts)
      if (files > 2)
        process.stdout.write(` ${lane}: ${files} files, about ${usualSeconds[lane] ?? "?"} s on two cores\n`);
  }
}
