import { importReport } from "@portage/contract";
import { reportSummary } from "@portage/contract/report-summary";
import { z } from "zod";
import { type Report, summaryOf } from "../../../features/runs/index.ts";
import type { Signer } from "../../../platform/sign.ts";
import { ok, Problem } from "../../answer.ts";
import { ownImportNotFound } from "../own-import-not-found.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { type ReportedImport, toReport } from "../represent-report.ts";
import { sandboxReport, sandboxSummary } from "../sandbox/fixtures.ts";

export const reportNotReady = (): Problem =>
  new Problem(
    "conflict",
    "There is no report yet. It appears at the end of a sample or migration, once everything is verified.",
  );

const missing = {
  404: {
    description: "No such import of yours, or it was cancelled or archived.",
    problem: ownImportNotFound(),
  },
  409: { description: "No copy of this import has completed yet.", problem: reportNotReady() },
};

export const showReportOperation: Operation = {
  id: "showReport",
  method: "GET",
  path: "/imports/:id/report",
  tag: "Imports",
  summary: "Show the report of an import",
  description:
    "What became of every record of the last completed copy, in counts by stream and cause, and what the comparison with the " +
    "old tool found. It names no record and shows nothing of what is in one: the customer's own report does.",
  answers: {
    200: {
      description: "The report.",
      schema: importReport,
      examples: () => ({
        completed: sandboxReport("migration_completed"),
        sample: sandboxReport("sample_completed"),
      }),
    },
    ...missing,
  },
  sample: {
    id: "migration_completed",
    sdk: `const { adds_up, streams } = await portage.imports.report("migration_completed");
for (const { label, source, written } of streams) console.log(label, source, written, adds_up);`,
  },
};

const signedSummary = z
  .object({
    summary: reportSummary
      .extend({ import_id: z.string().describe("In the simulator, a simulation's.") })
      .describe("For people, and for programs that trust the connection."),
    jws: z
      .string()
      .describe(
        "The same summary, signed: a compact JWS (RFC 7515) with Ed25519. Its key is at `/.well-known/portage-report-keys.json`.",
      ),
  })
  .meta({ id: "SignedSummary", description: "The report in short, as evidence for others." });

export const showSummaryOperation: Operation = {
  id: "showSignedSummary",
  method: "GET",
  path: "/imports/:id/report/summary",
  tag: "Imports",
  summary: "Show the signed summary of an import",
  description:
    "The report in short, signed by this installation, so that whoever gets the file can check that it is unchanged. The keys are " +
    "public, at `/.well-known/portage-report-keys.json`. The keys of the sandbox and the simulator are not among them: a check " +
    "refuses what they sign.",
  answers: {
    200: {
      description: "The summary and its signature.",
      schema: signedSummary,
      examples: () => ({ completed: sandboxSummary("migration_completed") }),
    },
    ...missing,
  },
  sample: {
    id: "migration_completed",
    sdk: `const { summary, jws } = await portage.imports.signedSummary("migration_completed");
console.log(summary.adds_up, jws.length);`,
  },
};

interface Needs {
  /** Undefined: no such import of the partner. `report` is undefined while there is none. */
  readonly findReport: (
    partnerId: string,
    id: string,
  ) => Promise<{ readonly found: ReportedImport; readonly report: Report | undefined } | undefined>;
  readonly signer: Signer;
}

export const reportRoutes = ({ findReport, signer }: Needs): readonly PartnerRoute[] => {
  const known = async (partnerId: string, id: string) => {
    const read = await findReport(partnerId, id);
    if (!read) throw ownImportNotFound();
    if (!read.report) throw reportNotReady();
    return { found: read.found, report: read.report };
  };
  return [
    {
      operation: showReportOperation,
      handle: async ({ partner, importId }) => {
        const { found, report } = await known(partner.id, importId);
        return ok(toReport(found, report));
      },
    },
    {
      operation: showSummaryOperation,
      handle: async ({ partner, importId }) => {
        const { found, report } = await known(partner.id, importId);
        const summary = summaryOf(found, report, new Date());
        return ok({ summary, jws: signer.sign(summary) });
      },
    },
  ];
};
