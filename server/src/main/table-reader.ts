import {
  checkFiles,
  csvSettings,
  describeFields,
  dialectSettings,
  exampleFiles,
  inspectFiles,
  tableStreams,
} from "@portage/connectors/csv";
import { errorsByProperty } from "@portage/contract";
import type { TableReader } from "../features/uploads/index.ts";

const choices = csvSettings.pick({ files: true, timeZone: true });

/** Looks into uploaded tables as their connector reads them. */
export const tableReader: TableReader = {
  tool: "csv",
  streams: (family) =>
    tableStreams(family).map((stream) => ({
      name: stream.name,
      label: stream.label,
      fields: describeFields(stream),
    })),
  inspect: (family, files) =>
    inspectFiles(
      family,
      // What it does not know of a dialect is detected.
      files.map((each) => ({ ...each, dialect: dialectSettings.safeParse(each.dialect ?? {}).data })),
    ),
  check: async (family, settings, open) => {
    const parsed = choices.safeParse(settings);
    if (!parsed.success) return { kind: "invalid", errors: errorsByProperty(parsed.error) };
    return { kind: "checked", files: await checkFiles(family, parsed.data, open) };
  },
  examples: (family) => exampleFiles[family],
};
