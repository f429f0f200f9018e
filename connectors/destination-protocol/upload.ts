import { createHash } from "node:crypto";
import { ConnectorError, type FamilyStream, type FileBody, type Io } from "@portage/connector-kit";
import { openPath, uploadAnswer, uploadHeader, uploadPath } from "@portage/contract/destination-protocol";
import { refusalOf, refusalStatuses } from "./ask.ts";
import type { Settings } from "./settings.ts";
import { encodeStatement } from "./sign-call.ts";

export interface FileProof {
  readonly size: number;
  readonly sha256: string;
}

/** The same bytes, with size and digest computed while they stream; each `open` starts anew. */
const measured = (file: FileBody): { readonly file: FileBody; proof(): FileProof } => {
  let size = 0;
  let hash = createHash("sha256");
  async function* watched(): AsyncGenerator<Uint8Array> {
    size = 0;
    hash = createHash("sha256");
    for await (const chunk of await file.open()) {
      size += chunk.byteLength;
      hash.update(chunk);
      yield chunk;
    }
  }
  return {
    // The real type is in the statement, where it can't inject a header.
    file: { ...file, contentType: "application/octet-stream", open: watched },
    proof: () => ({ size, sha256: hash.copy().digest("hex") }),
  };
};

const damaged = () =>
  new ConnectorError({
    recovery: "skip-record",
    code: "file_damaged",
    message: "The destination received different bytes than Portage sent.",
  });

/** Sends a file's bytes before its record, in one pass, and returns the size and digest for the record. */
export const uploadFile = async (
  { http }: Io<Settings>,
  { family, name: stream }: FamilyStream,
  key: string,
  body: FileBody,
): Promise<FileProof> => {
  const { file, proof } = measured(body);
  const contentType = body.contentType.slice(0, 255);
  const response = await http.send({
    url: uploadPath,
    method: "POST",
    file,
    idempotent: true,
    // Only the signed write makes a file of the bytes.
    auxiliary: true,
    headers: {
      [uploadHeader]: encodeStatement({ call: "upload", family, stream, key, contentType, size: body.size }),
    },
    accept: refusalStatuses,
  });
  if (response.status >= 300) throw refusalOf(response);
  const sent = proof();
  const received = response.json(uploadAnswer);
  if (received.size !== sent.size || received.sha256 !== sent.sha256) throw damaged();
  return sent;
};

/** The bytes of a copy. `open` opens the connection; a caller that stops reading closes it. */
export const openFile = async (
  { http }: Io<Settings>,
  { family, name: stream }: FamilyStream,
  id: string,
): Promise<FileBody> => ({
  name: id,
  contentType: "application/octet-stream",
  size: null,
  async open() {
    const { body } = await http.download({
      url: openPath,
      method: "POST",
      json: () => ({ call: "open", timestamp: Date.now(), family, stream, id }),
      idempotent: true,
    });
    return body;
  },
});
