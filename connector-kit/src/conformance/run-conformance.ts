import type { Role } from "../manifest.ts";
import type { Check } from "./check.ts";
import type { Subject } from "./subject.ts";
import { effectChecks } from "./effect-checks.ts";
import { faithfulChecks } from "./faithful-checks.ts";
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
  ...effectChecks,
];

export type Verdict = "passed" | "failed" | "skipped" | "blocked";

export interface CheckResult {
  readonly name: string;
  readonly shows: string;
  readonly verdict: Verdict;
  /** Why it failed, was skipped or is blocked. */
  readonly why: string | null;
  readonly error?: unknown;
}

const hasRole = (subject: Subject, role: Role | "both") =>
  role === "both" || subject.connector.manifest.roles.includes(role);

/** Runs every check for the connector's roles and reports each result. It never throws. */
export const runConformance = async <S>(
  subject: Subject<S>,
  tell: (result: CheckResult) => void = () => {},
): Promise<readonly CheckResult[]> => {
  const session = createSession(subject);
  const results = new Map<string, CheckResult>();
  for (const check of conformanceChecks) {
    const { name, shows, role, after = [] } = check;
    if (!hasRole(session.subject, role)) continue;
    const judge = async (): Promise<Omit<CheckResult, "name" | "shows">> => {
      const bad = after.find((each) =>
        ["failed", "blocked"].includes(results.get(each)?.verdict ?? "passed"),
      );
      if (bad) return { verdict: "blocked", why: `"${bad}" must pass first` };
      try {
        const skipped = await check.run(session);
        return skipped ? { verdict: "skipped", why: skipped.skipped } : { verdict: "passed", why: null };
      } catch (error) {
        return { verdict: "failed", why: error instanceof Error ? error.message : String(error), error };
      }
    };
    const result = { name, shows, ...(await judge()) };
    results.set(name, result);
    tell(result);
  }
  return [...results.values()];
};

/** The functions that a test framework must have; vitest, jest and node:test do. */
export interface TestFramework {
  describe(name: string, define: () => void): void;
  test(name: string, run: () => Promise<void>, timeoutMs?: number): void;
}

/** Registers one test per check. It calls `start` once, when the first of them runs. */
export const testConformance = <S>(
  label: string,
  { describe, test }: TestFramework,
  start: () => Promise<Subject<S>>,
  timeoutMs = 300_000,
): void => {
  let results: Promise<readonly CheckResult[]> | undefined;
  describe(`${label} conforms`, () => {
    for (const { name, shows } of conformanceChecks)
      test(
        `${name}: ${shows}`,
        async () => {
          results ??= start().then((subject) => runConformance(subject));
          const result = (await results).find((each) => each.name === name);
          if (result?.verdict === "failed" || result?.verdict === "blocked")
            throw new Error(result.why ?? name, { cause: result.error });
        },
        timeoutMs,
      );
  });
};
