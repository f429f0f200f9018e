import { tmpdir } from "node:os";
import { type Connector, ConnectorError, familyStreams, kitVersion } from "@portage/connector-kit";
import { families } from "@portage/contract";
import type { FileStore } from "./file-store.ts";
import { createSourceStream, type PageLimits, pageLimits } from "./source-stream.ts";
import { type CsvSettings, csvSettings } from "./settings.ts";
import { findStart } from "./table.ts";

export interface CsvOptions {
  readonly files: FileStore;
  /** Holds the texts of an Excel sheet while the connector reads it. */
  readonly tempFolder?: string;
  readonly page?: PageLimits;
}

/** Tables that people export from tools without an API. It calls no host: it reads uploaded files. */
export const createCsv = ({
  files,
  tempFolder = tmpdir(),
  page = pageLimits,
}: CsvOptions): Connector<CsvSettings> => {
  const streamsOf = (family: (typeof families)[number]) =>
    familyStreams[family]
      // A table can't hold the bytes of other files.
      .filter(({ kind }) => kind !== "file")
      .map((stream) => createSourceStream(stream, { files, tempFolder, page }));
  return {
    manifest: {
      kit: kitVersion,
      name: "csv",
      label: "CSV or Excel files",
      families: [...families],
      leavesOut: families
        .flatMap((family) => familyStreams[family])
        .filter(({ kind }) => kind === "file")
        .map(({ name }) => ({ stream: name, role: "source", why: "A table holds no files." })),
      roles: ["source"],
      settings: csvSettings,
      auth: { kind: "none", filesOf: "importId" },
      hosts: () => ({ api: ["https://no-host.invalid"] }),
      limits: [],
      concurrency: 4,
      grace: { lateWriteMs: 0, findLagMs: 0 },
    },
    async check({ settings }) {
      const chosen = Object.entries(settings.files);
      if (chosen.length === 0)
        throw new ConnectorError({
          recovery: "reauthorize",
          code: "file_missing",
          message: "There is no uploaded file yet. Upload at least one.",
          setting: "files",
        });
      for (const [name, choice] of chosen) {
        const streams = families
          .flatMap((family) => familyStreams[family])
          .filter((each) => each.name === name);
        const file = await files.open(settings.importId, choice.file);
        if (!file || streams.length === 0)
          throw new ConnectorError({
            recovery: "reauthorize",
            code: "file_missing",
            message: `The file for “${name}” is missing. Upload it again.`,
            setting: "files",
          });
        await findStart(file, choice);
      }
      const names = chosen.map(([name]) => name).toSorted();
      return {
        signInName: "Uploaded files",
        accountName: `Files for ${names.join(", ")}`,
        // Not the files: a corrected one is of the same source.
        accountId: settings.importId,
        keyColumns: Object.fromEntries(
          chosen.map(([name, { columns }]) => [
            name,
            columns.filter(({ field }) => field === "id").map(({ header }) => header),
          ]),
        ),
      };
    },
    source: Object.fromEntries(families.map((family) => [family, streamsOf(family)])),
  };
};
