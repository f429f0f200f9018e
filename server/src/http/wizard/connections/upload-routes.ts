import type { WizardInspectedFiles, WizardUpload, WizardUploads } from "@portage/contract/wizard";
import { z } from "zod";
import {
  type FileToInspect,
  pieceBytes,
  type TableReader,
  type Upload,
  type UploadService,
} from "../../../features/uploads/index.ts";
import { type Answer, emptyOk, invalid, ok, Problem } from "../../answer.ts";
import { importEnded } from "../access/gate.ts";
import type { WizardCall, WizardRoute } from "../access/route.ts";
import { createOneAtATime } from "./one-at-a-time.ts";

export interface UploadRoutesNeeds {
  readonly uploads: UploadService;
  readonly tables: TableReader;
}

/** Of one request; the browser sends a large file in many. */
const chunkBytes = 8 * 1024 * 1024;
const maxSettingsBytes = 1024 * 1024;

const newUploadBody = z.object({
  name: z
    .string({ error: "must be the file's name" })
    .trim()
    .min(1, "can't be blank")
    .max(255, "is too long")
    // No spreadsheet program writes them, and they would garble a list of names in a terminal or a log.
    .refine((name) => !/\p{Cc}/u.test(name), "has a character that is not allowed"),
  size: z.int({ error: "must be the file's size in bytes" }).min(1, "can't be 0: the file is empty"),
  modifiedAt: z.int().min(0).nullish(),
});

const inspectBody = z.object({
  files: z
    .array(
      z.object({
        file: z.string().max(100),
        stream: z.string().max(100).nullable().optional(),
        sheet: z.string().max(1000).optional(),
        dialect: z
          .object({
            encoding: z.string().max(20).optional(),
            delimiter: z.string().max(1).optional(),
            quote: z.string().max(1).optional(),
            lineBreak: z.string().max(2).optional(),
          })
          .optional(),
        fields: z.record(z.string().regex(/^\d{1,5}$/), z.string().max(200).nullable()).optional(),
      }),
      { error: "must be a list of files" },
    )
    .refine((files) => new Set(files.map(({ file }) => file)).size === files.length, "names a file twice"),
});

const checkBody = z.object({
  settings: z.record(z.string(), z.unknown(), { error: "must be an object with the tool's settings" }),
});

const shown = ({ id, name, size, received, modifiedAt }: Upload): WizardUpload => ({
  id,
  name,
  size,
  received,
  modifiedAt,
});

const noSuchFile = () => new Problem("not_found", "There is no such file: it was removed.");

/** Only the source of an import that takes its records from files. */
const requireFiles = ({ tables }: UploadRoutesNeeds, { import: found, param }: WizardCall<unknown>) => {
  if (param("side") !== "source" || found.sourceTool !== tables.tool)
    throw new Problem("not_found", "This side of the import takes no files.");
};

const atOffset = (received: number): Answer => ({
  status: 409,
  body: {
    error: { code: "conflict", message: `The next bytes must begin at ${received}.` },
    current: { received },
  },
});

/** More than a customer who changes a column while the page is reading. */
const maxWaitingReads = 4;

type ReadFiles = <T>(importId: string, read: () => Promise<T>) => Promise<T>;

/** A look into Excel files unpacks all of their texts: an import gets one at a time, so that it can't use up the processor. */
const createReadFiles = (): ReadFiles => {
  const run = createOneAtATime(maxWaitingReads);
  return (importId, read) => {
    const done = run(importId, read);
    if (!done)
      throw new Problem(
        "rate_limited",
        "These files are being read already. Wait a moment, then try again.",
        {
          "retry-after": "5",
        },
      );
    return done;
  };
};

const list = (needs: UploadRoutesNeeds): WizardRoute => ({
  method: "GET",
  path: "/connections/:side/uploads",
  openToAdmin: "own_side",
  handle: async (call) => {
    requireFiles(needs, call);
    const { id, family } = call.import;
    return ok({
      files: (await needs.uploads.list(id)).map(shown),
      limits: needs.uploads.limits,
      chunkBytes,
      pieceBytes,
      examples: needs.tables.examples(family).map(({ stream, name }) => ({ stream, name })),
    } satisfies WizardUploads);
  },
});

const begin = (needs: UploadRoutesNeeds): WizardRoute<z.infer<typeof newUploadBody>> => ({
  method: "POST",
  path: "/connections/:side/uploads",
  openToAdmin: "own_side",
  body: newUploadBody,
  handle: async (call) => {
    requireFiles(needs, call);
    const { name, size, modifiedAt = null } = call.body;
    const { limits } = needs.uploads;
    const gigabytes = (bytes: number) => `${Math.round((bytes / 1024 ** 3) * 10) / 10} GB`;
    if (size > limits.fileBytes)
      return invalid({ size: [`is more than ${gigabytes(limits.fileBytes)}: split the file`] });
    const begun = await needs.uploads.begin({ importId: call.import.id, name, size, modifiedAt });
    switch (begun.kind) {
      case "begun":
        return { status: 201, body: shown(begun.upload) };
      case "too_many_files":
        return invalid({ base: [`There are ${limits.files} files already. Remove one first.`] });
      case "too_many_bytes":
        return invalid({
          base: [`All files together may have ${gigabytes(limits.importBytes)}. Remove one first.`],
        });
      case "missing":
        throw importEnded();
    }
  },
});

/** Appends bytes at an offset, which must be where the stored ones end. */
const append = (needs: UploadRoutesNeeds): WizardRoute => ({
  method: "PUT",
  path: "/connections/:side/uploads/:upload/bytes",
  openToAdmin: "own_side",
  handle: async (call) => {
    requireFiles(needs, call);
    const offset = Number(call.query.get("offset")?.text);
    if (!Number.isSafeInteger(offset) || offset < 0)
      return invalid({ offset: ["must be the number of bytes before these"] });
    const limited = atMost(call.bytes(), chunkBytes);
    const received = await needs.uploads.receive(call.import.id, call.param("upload"), offset, limited);
    switch (received.kind) {
      case "received":
        return ok({ received: received.received });
      case "elsewhere":
        return atOffset(received.received);
      case "too_long":
        return invalid({ base: ["The file is longer than its size said. Upload it again."] });
      case "missing":
        throw noSuchFile();
    }
  },
});

async function* atMost(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > most) throw new Problem("bad_request", `A chunk has at most ${most} bytes.`);
    yield chunk;
  }
}

const remove = (needs: UploadRoutesNeeds): WizardRoute => ({
  method: "DELETE",
  path: "/connections/:side/uploads/:upload",
  openToAdmin: "own_side",
  handle: async (call) => {
    requireFiles(needs, call);
    const { kind } = await needs.uploads.erase(call.import.id, call.param("upload"));
    if (kind === "missing") throw noSuchFile();
    if (kind === "under_way")
      throw new Problem("conflict", "A copy is running. Stop it first, then remove the file.");
    return emptyOk;
  },
});

const inspect = (
  needs: UploadRoutesNeeds,
  readFiles: ReadFiles,
): WizardRoute<z.infer<typeof inspectBody>> => ({
  method: "POST",
  path: "/connections/:side/uploads/inspect",
  openToAdmin: "own_side",
  maxBodyBytes: maxSettingsBytes,
  body: inspectBody,
  handle: async (call) => {
    requireFiles(needs, call);
    const { id, family } = call.import;
    const { limits } = needs.uploads;
    if (call.body.files.length > limits.files) return invalid({ files: [`must be at most ${limits.files}`] });
    const names = new Map((await needs.uploads.list(id)).map((each) => [each.id, each.name]));
    const files: FileToInspect[] = [];
    for (const each of call.body.files) {
      const stored = await needs.uploads.open(id, each.file);
      if (stored) files.push({ ...each, name: names.get(each.file) ?? "", stored });
    }
    return ok({
      files: await readFiles(id, () => needs.tables.inspect(family, files)),
      streams: needs.tables.streams(family),
    } satisfies WizardInspectedFiles);
  },
});

const check = (needs: UploadRoutesNeeds, readFiles: ReadFiles): WizardRoute<z.infer<typeof checkBody>> => ({
  method: "POST",
  path: "/connections/:side/uploads/check",
  openToAdmin: "own_side",
  maxBodyBytes: maxSettingsBytes,
  body: checkBody,
  handle: async (call) => {
    requireFiles(needs, call);
    const { id, family } = call.import;
    const checked = await readFiles(id, () =>
      needs.tables.check(family, call.body.settings, (file) => needs.uploads.open(id, file)),
    );
    return checked.kind === "invalid"
      ? invalid(checked.errors as Record<string, string[]>)
      : ok({ files: checked.files });
  },
});

const example = (needs: UploadRoutesNeeds): WizardRoute => ({
  method: "GET",
  path: "/connections/:side/uploads/examples/:stream",
  openToAdmin: "own_side",
  handle: async (call) => {
    requireFiles(needs, call);
    const found = needs.tables
      .examples(call.import.family)
      .find(({ stream }) => stream === call.param("stream"));
    if (!found) throw new Problem("not_found", "There is no example for this kind of record.");
    return ok(found.text, {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${found.name}"`,
    });
  },
});

/** The customer uploads files, sees what they hold, and has their first rows checked. */
export const uploadRoutes = (needs: UploadRoutesNeeds): readonly WizardRoute[] => {
  const readFiles = createReadFiles();
  return [
    list(needs),
    begin(needs),
    append(needs),
    remove(needs),
    inspect(needs, readFiles),
    check(needs, readFiles),
    example(needs),
  ];
};
