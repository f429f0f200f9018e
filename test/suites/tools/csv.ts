import { filesOf } from "../../../connectors/csv/testing/subject.ts";
import { writeCsv } from "../../../connectors/csv/testing/write-csv.ts";
import { writeXlsx } from "../../../connectors/csv/testing/write-xlsx.ts";
import type { ToolSuite } from "../suite.ts";

export const suite: ToolSuite = {
  tool: "csv",
  counterpart: { kind: "files" },
  runs: [
    { label: "CSV files", family: "helpdesk" },
    { label: "Excel files", family: "projects" },
  ],
  start: async (transport) => ({
    subject: (family) => {
      const files = filesOf(family, family === "helpdesk" ? (rows) => writeCsv(rows) : writeXlsx);
      return { ...files, transport };
    },
    stop: async () => {},
  }),
};
