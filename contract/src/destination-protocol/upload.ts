import { z } from "zod";
import { named } from "./named.ts";
import { call, key, recordId, target } from "./parts.ts";
import { fileProof } from "./write.ts";

/** The header of an upload that holds its statement. */
export const uploadHeader = "portage-upload";

/**
 * What is signed of an upload. Its bytes are not: they are sent as they are read from the old tool, so that their
 * digest is known only after the last one. The `write` that follows is signed and names digest and length, and only
 * then do the bytes become a file: what was changed on the way never does.
 */
export const uploadStatement = named(
  "UploadStatement",
  "The text that an upload's signatures are about: sent as base64url of JSON in the header `Portage-Upload`.",
  call("upload", {
    ...target,
    key,
    contentType: z.string().max(255),
    size: z.int().min(0).nullable().describe("In bytes, if the old tool told; else null."),
  }),
);

/** Of a stream that `opens`: the way back, for verification. */
export const openCall = named(
  "OpenCall",
  "Give the bytes of this file.",
  call("open", { ...target, id: recordId }),
);

/** What was received. */
export const uploadAnswer = fileProof;
