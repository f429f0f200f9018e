import { z } from "zod";
import { named } from "./named.ts";
import { call, key, recordId, target } from "./parts.ts";
import { fileProof } from "./write.ts";

/** The header of an upload that holds its statement. */
export const uploadHeader = "portage-upload";

/**
 * The signed part of an upload. The bytes are not signed: Portage streams them from the old tool, so their digest is
 * known only after the last one. The signed `write` that follows names digest and length, and only then do the bytes
 * become a file: altered bytes never do.
 */
export const uploadStatement = named(
  "UploadStatement",
  "The text that an upload's signatures are about: sent as base64url of JSON in the header `Portage-Upload`.",
  call("upload", {
    ...target,
    key,
    contentType: z.string().max(255),
    size: z.int().min(0).nullable().describe("In bytes, if the old tool reported it; else null."),
  }),
);

/** For a stream that `opens`: downloads a file, for verification. */
export const openCall = named(
  "OpenCall",
  "Give the bytes of this file.",
  call("open", { ...target, id: recordId }),
);

/** The size and digest of the received bytes. */
export const uploadAnswer = fileProof;
