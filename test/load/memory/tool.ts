import { createHash } from "node:crypto";
import { fileBytes } from "../../tools/stand-in/file-bytes.ts";
import { standInDefaults } from "../../tools/stand-in/options.ts";
import { startStandIn } from "../../tools/stand-in/stand-in.ts";
import { keyPrefix } from "./copy-files.ts";
import type { ToolOptions, ToolReady, ToolReceived } from "./messages.ts";

// A process with only the stand-in, so that the measurement covers the reader alone.
const { records, files, fileSize } = JSON.parse(process.argv[2] ?? "{}") as ToolOptions;
const others = { users: 100, contacts: 1_000, organizations: 10, groups: 10 };
const tool = await startStandIn({
  counts: { ...others, tickets: records, attachments: files },
  pageSize: 1_000,
  fileBytes: fileSize,
});

const digestOf = (id: string) => {
  const hash = createHash("sha256");
  for (const piece of fileBytes(`${standInDefaults.seed}/attachments/${id}`, fileSize)) hash.update(piece);
  return hash.digest("hex");
};

/** Checks all uploads by size, the first and the last by their bytes: hashing all of them would take minutes. */
const received = (): ToolReceived => {
  const rows = [...tool.written("attachments").all()];
  const hashed = rows.length === 0 ? [] : [rows[0], rows.at(-1)];
  return {
    requests: tool.stats().requests,
    files: rows.filter(({ file }) => file?.bytes === fileSize).length,
    identical: hashed.every((row) => row?.file?.sha256 === digestOf(row?.key.slice(keyPrefix.length) ?? "")),
  };
};

process.on("disconnect", () => process.exit());
process.on("message", () => process.send?.(received()));
process.send?.({ url: tool.url, token: tool.token } satisfies ToolReady);
