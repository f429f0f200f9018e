// The index of docs/adr: every decision under one subject.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { titleOf } from "../../site/pages.ts";

export interface Decision {
  readonly file: string;
  readonly number: number;
  /** With its number: "8. Ids". */
  readonly title: string;
  readonly status: string;
  readonly date: string;
}

/** The number of each decision stands under one of these. */
export type Subjects = Readonly<Record<string, readonly number[]>>;

const subjects: Subjects = {
  "The repository": [3, 4, 23, 24, 28],
  "Database and durable execution": [1, 2, 8, 11, 12, 25, 55, 61],
  "Copying and undoing": [13, 22, 26, 34, 58, 45, 46],
  Verification: [27, 44],
  "Connectors and tools": [9, 10, 29, 30, 31, 33, 36, 38, 39, 59],
  "The API, webhooks and the SDK": [5, 6, 7, 16, 17, 21],
  "The customer's wizard": [14, 15, 18, 40, 42],
  Payments: [19, 20],
  "Operating the service": [47, 48, 49, 50, 52, 54, 57],
};

/** Numbers without a file in any commit. */
const unused: readonly number[] = [32, 35, 37, 41, 43, 51, 53, 56, 60];

export const readDecision = (file: string, text: string): Decision => {
  const [, status = "", date = ""] = /^Status: (.+?) · Date: ([\d-]+)/m.exec(text) ?? [];
  return { file, number: Number.parseInt(file, 10), title: titleOf(text), status, date };
};

/** What keeps the index from being whole. */
export const indexProblems = (
  decisions: readonly Decision[],
  under: Subjects,
  withoutFile: readonly number[],
): readonly string[] => {
  const numbers = decisions.map(({ number }) => number);
  const listed = Object.values(under).flat();
  const highest = Math.max(0, ...numbers, ...listed);
  return Array.from({ length: highest }, (_, index) => index + 1).flatMap((number) => {
    const files = numbers.filter((each) => each === number).length;
    const times = listed.filter((each) => each === number).length;
    if (files > 1) return [`${files} files have the number ${number}`];
    if (files === 0 && times > 0) return [`decision ${number} is listed, and there is no file of it`];
    if (files === 0 && !withoutFile.includes(number)) return [`there is no decision ${number}`];
    if (files === 1 && withoutFile.includes(number)) return [`the number ${number} is in use now`];
    return files === 1 && times !== 1
      ? [`decision ${number} stands under ${times} subjects, not under one`]
      : [];
  });
};

const section = (name: string, decisions: readonly Decision[]): string =>
  [
    `## ${name}`,
    "",
    "| decision | status | date |",
    "| --- | --- | --- |",
    ...decisions.map(({ file, title, status, date }) => `| [${title}](${file}) | ${status} | ${date} |`),
  ].join("\n");

export const decisionsPage = (root: string): string => {
  const decisions = globSync("docs/adr/[0-9]*.md", { cwd: root })
    .toSorted()
    .map((path) => readDecision(basename(path), readFileSync(join(root, path), "utf8")));
  const problems = indexProblems(decisions, subjects, unused);
  if (problems.length > 0)
    throw new Error(`Change the lists in checks/reference/decisions-page.ts: ${problems.join("; ")}.`);
  const parts = Object.entries(subjects).map(([name, numbers]) =>
    section(
      name,
      decisions.filter(({ number }) => numbers.includes(number)),
    ),
  );
  return `# Decisions

What was decided, when, and why: one page for each decision that is hard to reverse, with its context, its consequences and what
enforces it. A decision that another one replaces says so in its status.

Made from these pages by \`npm run docs:generate\`; the subjects are in \`checks/reference/decisions-page.ts\`. A new decision gets the number
after the highest one, and keeps it. The numbers ${unused.slice(0, -1).join(", ")} and ${unused.at(-1)} were never used: no decision was removed.

${parts.join("\n\n")}
`;
};
