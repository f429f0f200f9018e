import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  openCall,
  openPath,
  protocolCalls,
  protocolErrors,
  uploadHeader,
  uploadPath,
  uploadStatement,
} from "@portage/contract/destination-protocol";
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Store } from "../store/store.ts";
import { keepUpload } from "../store/store-files.ts";
import { addField, type AskedField, removeField } from "../store/store-fields.ts";
import { isStreamName, type StreamName } from "../store/store-tables.ts";
import { acceptCall, type Gate } from "./accept-call.ts";
import { describeDesk, type Limits } from "./describe.ts";
import { findRecords, readRecords, removeRecords } from "./find-read-remove.ts";
import { createRateLimit } from "./rate-limit.ts";
import { receiveFile } from "./receive-file.ts";
import { Refusal, refusalBody } from "./refusal.ts";
import { writeRecords } from "./write.ts";

export interface ProtocolNeeds extends Gate {
  readonly publicUrl: string;
  readonly accountName: string;
  readonly limits: Limits;
  readonly callsPerSecond: number;
}

const ourStream = ({ family, stream }: { family: string; stream: string }): StreamName => {
  if (family !== "helpdesk" || !isStreamName(stream)) throw new Refusal(404, "We don't have this stream.");
  return stream;
};

const statusOf = (error: unknown): keyof typeof protocolErrors => {
  if (error instanceof Refusal) return error.status;
  const { statusCode = 500 } = error as Partial<FastifyError>;
  if (statusCode in protocolErrors) return statusCode as keyof typeof protocolErrors;
  return statusCode < 500 ? 400 : 500;
};

/** The calls and the upload. */
export const protocolRoutes = (needs: ProtocolNeeds) => async (app: FastifyInstance) => {
  const { store, limits, now } = needs;
  const mayCall = createRateLimit(needs.callsPerSecond, now);

  // Signatures cover the raw bytes, so no parser may touch them before.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: limits.bodyBytes },
    (_, body, done) => done(null, body),
  );
  app.addContentTypeParser("application/octet-stream", (_, body, done) => done(null, body));

  app.setErrorHandler((error, _, reply) => {
    const status = statusOf(error);
    if (status === 500) app.log.error(error, "a call failed");
    const message = error instanceof Refusal ? error.message : protocolErrors[status][0];
    if (status === 429 || status === 503) reply.header("retry-after", "1");
    return reply.code(status).send(refusalBody(status, message));
  });
  app.setNotFoundHandler((_, reply) => reply.code(404).send(refusalBody(404, "There is no such call.")));
  app.addHook("onRequest", async () => {
    if (!mayCall()) throw new Refusal(429, "Too many calls in one second.");
  });

  const throwAway = async (paths: readonly (string | null)[]) => {
    for (const path of paths) if (path) await rm(join(store.folder, "files", path), { force: true });
  };

  const serve = <N extends keyof typeof protocolCalls>(
    name: N,
    handle: (call: z.output<(typeof protocolCalls)[N]["request"]>, store: Store) => unknown,
  ) =>
    app.post(protocolCalls[name].path, async (request) => {
      const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return handle(
        acceptCall(needs, request.headers, content, name, protocolCalls[name].request) as never,
        store,
      );
    });

  serve("describe", ({ peopleAfter }) => describeDesk(store, needs, peopleAfter));
  serve("write", async (call) => {
    if (call.items.length > limits.batchItems) throw new Refusal(413, "Too many records in one call.");
    const { outcomes, unneeded } = writeRecords(store, ourStream(call), call.items, now());
    await throwAway(unneeded);
    return { outcomes };
  });
  serve("find", (call) => findRecords(store, ourStream(call), call.keys));
  serve("read", (call) => readRecords(store, ourStream(call), call.ids));
  serve("remove", async (call) => {
    const { results, unneeded } = removeRecords(store, ourStream(call), call.items);
    await throwAway(unneeded);
    return { results };
  });

  serve("createField", (call) => ({
    kind: "created",
    field: addField(store, ourStream(call), call as AskedField),
  }));
  serve("removeField", (call) =>
    removeField(store, ourStream(call), call.mark)
      ? { kind: "removed" }
      : { kind: "kept", code: "field_in_use", message: "Records hold values in this field." },
  );

  app.post(openPath, async (request, reply) => {
    const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const call = acceptCall(needs, request.headers, content, "open", openCall);
    const row = ourStream(call) === "attachments" ? store.get("attachments", call.id) : null;
    if (!row || row.values.path === "") throw new Refusal(404, "There is no such file.");
    return reply
      .type("application/octet-stream")
      .header("content-length", String(row.values.size))
      .send(createReadStream(join(store.folder, "files", String(row.values.path))));
  });

  app.post(uploadPath, { bodyLimit: limits.fileBytes + 1 }, async (request: FastifyRequest, reply) => {
    const encoded = request.headers[uploadHeader];
    const statement = Buffer.from(typeof encoded === "string" ? encoded : "", "base64url");
    try {
      const call = acceptCall(needs, request.headers, statement, "upload", uploadStatement);
      if (ourStream(call) !== "attachments") throw new Refusal(404, "This stream has no files.");
      const body = (request.body ?? []) as AsyncIterable<Uint8Array>;
      const upload = await receiveFile(store.folder, body, { maxBytes: limits.fileBytes, size: call.size });
      await throwAway([keepUpload(store, call.key, upload, now())]);
      return { size: upload.size, sha256: upload.sha256 };
    } catch (error) {
      // Closes the connection instead of reading the rest of a refused file.
      reply.header("connection", "close");
      throw error;
    }
  });
};
