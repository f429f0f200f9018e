export { openPath, protocolCalls, uploadPath, type ProtocolCall } from "./calls.ts";
export { described, describeCall, type Described, type DescribedStream } from "./describe.ts";
export { createFieldAnswer, createFieldCall, removeFieldAnswer, removeFieldCall } from "./fields.ts";
export { findAnswer, findCall, readAnswer, readCall, removeAnswer, removeCall } from "./find-read-remove.ts";
export { protocolSchemas } from "./named.ts";
export { replayWindowSeconds } from "./parts.ts";
export { protocolError, protocolErrors } from "./protocol-error.ts";
export { openCall, uploadAnswer, uploadHeader, uploadStatement } from "./upload.ts";
export { fileProof, writeAnswer, writeCall, writeOutcome } from "./write.ts";
