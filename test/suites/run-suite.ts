import type { Role } from "@portage/connector-kit";
import { type CheckResult, conformanceChecks, runConformance } from "@portage/connector-kit/conformance";
import type { Transport } from "@portage/connector-kit/http";
import { ownBreaches, type StandInReport, type ToolSuite } from "./suite.ts";

export interface RoleReport {
  readonly tool: string;
  readonly role: Role;
  readonly results: readonly CheckResult[];
  /** Requests and answers that the vendor's description held meanwhile; null: no description is at hand. */
  readonly held: { readonly requests: number; readonly answers: number } | null;
}

export interface SuiteReport {
  readonly tool: string;
  readonly onRealServer: boolean;
  /** For people: what answered. */
  readonly on: string;
  readonly roles: readonly RoleReport[];
  readonly breaches: StandInReport["breaches"];
  readonly lies: readonly string[];
  readonly unvalidated: readonly string[];
  /** What went wrong besides checks: it did not start, or is not what the documentation names. */
  readonly problems: readonly string[];
}

const roleOf = new Map(conformanceChecks.map(({ name, role }) => [name, role]));

const describeCounterpart = ({ counterpart }: ToolSuite, version: string | undefined): string => {
  if (counterpart.kind === "real server") return `a real server, ${counterpart.product} ${version}`;
  if (counterpart.kind === "example") return counterpart.product;
  return counterpart.kind === "stand-in" ? "a stand-in" : "files";
};

/** Runs a tool's conformance suite in all of its families, and sorts the results by role. */
export const runSuite = async (suite: ToolSuite, transport: Transport): Promise<SuiteReport> => {
  const { tool, counterpart, runs } = suite;
  const started = await suite.start(transport);
  const byRole = new Map<Role, { results: CheckResult[]; requests: number; answers: number }>();
  let before = { requests: 0, answers: 0 };
  try {
    for (const { family } of runs) {
      const subject = await started.subject(family);
      const { roles } = subject.connector.manifest;
      await runConformance(subject, (result) => {
        const role = roleOf.get(result.name) ?? "both";
        const held = { ...(started.report?.().held ?? before) };
        const named = { ...result, name: runs.length > 1 ? `${family}/${result.name}` : result.name };
        // A check of both roles counts in each of them; its calls count once.
        for (const [index, each] of (role === "both" ? roles : [role]).entries()) {
          const entry = byRole.get(each) ?? { results: [], requests: 0, answers: 0 };
          entry.results.push(named);
          if (index === 0) {
            entry.requests += held.requests - before.requests;
            entry.answers += held.answers - before.answers;
          }
          byRole.set(each, entry);
        }
        before = held;
      });
    }
    const report = started.report?.();
    const { version } = started;
    const isOther = counterpart.kind === "real server" && !version?.startsWith(counterpart.version);
    return {
      tool,
      onRealServer: counterpart.kind === "real server",
      on: describeCounterpart(suite, version),
      roles: [...byRole].map(([role, { results, requests, answers }]) => ({
        tool,
        role,
        results,
        held: report ? { requests, answers } : null,
      })),
      breaches: report ? ownBreaches(suite, report) : [],
      lies: report?.lies ?? [],
      unvalidated: [...(report?.unvalidated.keys() ?? [])].map((what) => `${tool} ${what}`),
      problems: isOther ? [`it is version ${version}, and its suite names ${counterpart.version}`] : [],
    };
  } finally {
    await started.stop();
  }
};

const isOf = (verdict: CheckResult["verdict"]) => (result: CheckResult) => result.verdict === verdict;
const named = (results: readonly CheckResult[]) =>
  results.map(({ name, why }) => `${name}: ${why}`).join("; ");

/** One line for people. */
export const roleLine = (report: SuiteReport, { role, results, held }: RoleReport): string => {
  const skipped = results.filter(isOf("skipped"));
  const failed = results.filter((result) => !isOf("passed")(result) && !isOf("skipped")(result));
  return [
    `${report.tool} ${role}: ${results.filter(isOf("passed")).length} passed`,
    `${skipped.length} skipped${skipped.length > 0 ? ` (${named(skipped)})` : ""}`,
    `${failed.length} failed${failed.length > 0 ? ` (${named(failed)})` : ""}`,
    held
      ? `${held.requests} requests and ${held.answers} answers held to the description, ${report.breaches.length} breaches, unvalidated ${report.unvalidated.length}`
      : "no description",
    `on ${report.on}`,
  ].join("; ");
};

export interface SuiteFigures {
  readonly sources: number;
  readonly destinations: number;
  readonly onRealServers: number;
  readonly failed: number;
  readonly breaches: number;
  readonly unvalidated: readonly string[];
}

const failedIn = ({ results }: RoleReport) =>
  results.filter(({ verdict }) => verdict === "failed" || verdict === "blocked").length;

/** A role counts if checks of it passed and none failed. */
const conforms = (role: Role, report: SuiteReport): boolean =>
  report.roles.some(
    (each) => each.role === role && failedIn(each) === 0 && each.results.some(isOf("passed")),
  );

export const figuresOf = (reports: readonly SuiteReport[]): SuiteFigures => ({
  sources: reports.filter((report) => conforms("source", report)).length,
  destinations: reports.filter((report) => conforms("destination", report)).length,
  onRealServers: reports.filter(({ onRealServer, roles }) => onRealServer && roles.length > 0).length,
  failed: reports.reduce(
    (sum, { roles, problems, lies }) =>
      roles.reduce((all, role) => all + failedIn(role), sum) + problems.length + lies.length,
    0,
  ),
  breaches: reports.reduce((sum, { breaches }) => sum + breaches.length, 0),
  unvalidated: reports.flatMap(({ unvalidated }) => unvalidated),
});
