import type { Connector, FamilyRecord, FileBody } from "@portage/connector-kit";

/** The same tool with changed file contents. */
export const changedFiles = <C extends Connector<never>>(
  connector: C,
  change: (file: FileBody, record: FamilyRecord) => FileBody,
): C => {
  const streams = (connector.source?.helpdesk ?? []).map((stream): typeof stream => {
    const { openFile } = stream;
    if (!openFile) return stream;
    return { ...stream, openFile: async (io, record) => change(await openFile(io, record), record) };
  });
  return { ...connector, source: { helpdesk: streams } };
};
