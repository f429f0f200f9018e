import type { Role } from "../manifest.ts";
import type { Check } from "./check.ts";
import type { Subject } from "./subject.ts";
import { effectChecks } from "./effect-checks.ts";
import { faithfulChecks } from "./faithful-checks.ts";
import { fieldChecks } from "./field-checks.ts";
import { doubtChecks, findChecks } from "./find-checks.ts";
import { protocolChecks } from "./protocol-checks.ts";
import { createSession } from "./session.ts";
import { sourceChecks } from "./source-checks.ts";

/** All checks, in the order in which they run; checks that change the source come last of their kind. */
export const conformanceChecks: readonly Check[] = [
  ...protocolChecks,
  ...sourceChecks,
  ...findChecks,
  ...faithfulChecks,
  ...doubtChecks,
  ...fieldChecks,
  ...effectChecks,
];

export type Verdict = "passed" | "failed" | "skipped" | "blocked";

export interface CheckResult {
  readonly name: string;
  readonly shows: string;
  readonly verdict: Verdict;
  /** Why it failed, was skipped or is blocked. */
  readonly why: string | null;
  /** What a reader should know though it passed. */
  readonly note?: string;
  readonly error?: unknown;
}

const hasRole = (subject: Subject, role: Role | "both") =>
  role === "both" || subject.connector.manifest.roles.includes(role);

/** The checks of these names, and those that must pass before them. */
const withNeeded = (names: readonly string[]): ReadonlySet<string> => {
  const wanted = new Set(names);
  // A check needs only earlier ones.
  for (const { name, after = [] } of conformanceChecks.toReversed())
    if (wanted.has(name)) for (const each of after) wanted.add(each);
  return wanted;
};

/** Runs the checks for the connector's roles and reports each result. It never throws. */
export const runConformance = async <S>(
  subject: Subject<S>,
  tell: (result: CheckResult) => void = () => {},
): Promise<readonly CheckResult[]> => {
  const session = createSession(subject);
  const results = new Map<string, CheckResult>();
  const wanted = subject.only && withNeeded(subject.only);
  for (const check of conformanceChecks) {
    const { name, shows, role, after = [] } = check;
    if (!hasRole(session.subject, role) || wanted?.has(name) === false) continue;
    const judge = async (): Promise<Omit<CheckResult, "name" | "shows">> => {
      const bad = after.find((each) =>
        ["failed", "blocked"].includes(results.get(each)?.verdict ?? "passed"),
      );
      if (bad) return { verdict: "blocked", why: `"${bad}" must pass first` };
      try {
        const remark = await check.run(session);
        if (!remark) return { verdict: "passed", why: null };
        if ("skipped" in remark) return { verdict: "skipped", why: remark.skipped };
        return { verdict: "passed", why: null, note: remark.note };
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        // Of chosen trials one must be able to choose the same again.
        const why = (subject.share ?? 1) < 1 ? `${message} (seed ${session.seed})` : message;
        return { verdict: "failed", why, error };
      }
    };
    const result = { name, shows, ...(await judge()) };
    results.set(name, result);
    tell(result);
  }
  return [...results.values()];
};

/** What a test framework passes to a running test. `skip` ends the test as skipped, with a reason. */
export interface TestContext {
  skip?(reason: string): void;
}

/**
 * The functions that a test framework must have; vitest and node:test do. Jest can't skip a test that runs, so there a
 * check that has nothing to check fails: call `runConformance` instead.
 */
export interface TestFramework {
  describe(name: string, define: () => void): void;
  test(name: string, run: (...given: TestContext[]) => Promise<void>, timeoutMs?: number): void;
}

const skipTest = (context: TestContext | undefined, reason: string): void => {
  // Never as passed: nothing was checked.
  if (!context?.skip) throw new Error(`Skipped: ${reason}.`);
  context.skip(reason);
};

/** Registers one test per check. It calls `start` once, when the first of them runs. */
export const testConformance = <S>(
  label: string,
  { describe, test }: TestFramework,
  start: () => Promise<Subject<S>>,
  timeoutMs = 300_000,
): void => {
  let results: Promise<readonly CheckResult[]> | undefined;
  describe(`${label} conforms`, () => {
    for (const { name, shows, role } of conformanceChecks)
      test(
        `${name}: ${shows}`,
        // No named parameter: Jest takes one for a callback.
        async (...[context]) => {
          results ??= start().then((subject) => runConformance(subject));
          const result = (await results).find((each) => each.name === name);
          if (!result) return skipTest(context, `the connector is no ${role}`);
          const { verdict, why, error } = result;
          if (verdict === "skipped") return skipTest(context, why ?? name);
          if (verdict !== "passed") throw new Error(why ?? name, { cause: error });
        },
        timeoutMs,
      );
  });
};
