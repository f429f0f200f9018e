import { type LawTestKind, lawTests } from "./kit/law-tests.ts";
import type { VendorTool } from "./tools.ts";

/** A test that vitest ran, as its JSON report has it. */
export interface RanTest {
  readonly file: string;
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
}

export interface LawResult {
  readonly tool: string;
  readonly law: string;
  /** By what the law was broken; null: by nothing. */
  readonly kind: LawTestKind | null;
  readonly isCaught: boolean;
  /** For people: how the law was broken, and what caught it. */
  readonly by: string;
}

const caughtBy: Readonly<Record<"request" | "outcome", string>> = {
  request: "the stand-in recorded the breach",
  outcome: "what came differed from the tool's tables",
};

const howBroken = (kind: LawTestKind, title: string, law: string): string => {
  const what = title.slice(law.length).replace(/^: /, "");
  return kind === "connector" ? `a connector mutant (${what})` : "a direct request";
};

const kindsOf = Object.keys(lawTests) as readonly LawTestKind[];

/** Whether each law of a vendor is broken by a test, and caught; by a changed connector rather than by a direct request. */
export const judgeLaws = (
  { tool, laws }: Pick<VendorTool, "tool" | "laws">,
  ran: readonly RanTest[],
): readonly LawResult[] =>
  Object.entries(laws).map(([law, { seen }]) => {
    const own = ran
      .filter(({ file }) => file.split("/").includes(tool))
      .filter(({ title }) => title === law || title.startsWith(`${law}: `));
    const found = kindsOf.flatMap((kind) =>
      own
        .filter(({ ancestorTitles }) => ancestorTitles.at(-1) === lawTests[kind])
        .map((test) => ({ kind, test })),
    );
    const failed = found.find(({ test }) => test.status !== "passed");
    const [first] = found;
    if (failed) {
      const by = `${howBroken(failed.kind, failed.test.title, law)} was not noticed`;
      return { tool, law, kind: failed.kind, isCaught: false, by };
    }
    if (!first) return { tool, law, kind: null, isCaught: false, by: "nothing breaks it" };
    return {
      tool,
      law,
      kind: first.kind,
      isCaught: true,
      by: `${howBroken(first.kind, first.test.title, law)}: ${caughtBy[seen]}`,
    };
  });
