import type { z } from "zod";
import { describeCall, described } from "./describe.ts";
import { createFieldAnswer, createFieldCall, removeFieldAnswer, removeFieldCall } from "./fields.ts";
import { findAnswer, findCall, readAnswer, readCall, removeAnswer, removeCall } from "./find-read-remove.ts";
import { writeAnswer, writeCall } from "./write.ts";

export interface ProtocolCall {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly request: z.ZodType;
  readonly answer: z.ZodType;
}

/** The five calls, and two for custom fields that are optional. Each is a POST, so that each has a body to sign. */
export const protocolCalls = {
  describe: {
    path: "/describe",
    summary: "Tell what you take",
    description:
      "Streams, fields, options and people. Asked when the destination is connected and at the start of every run.",
    request: describeCall,
    answer: described,
  },
  write: {
    path: "/write",
    summary: "Make or change a batch of records",
    description:
      "Upsert by `key`. It is sent again after every doubt, so the second time must change nothing. Each record is accepted or rejected by itself. Send no notifications.",
    request: writeCall,
    answer: writeAnswer,
  },
  find: {
    path: "/find",
    summary: "Find records by key",
    description: "All ids per key, so that a double would show.",
    request: findCall,
    answer: findAnswer,
  },
  read: {
    path: "/read",
    summary: "Read records",
    description: "For verification, and to see whether people have changed a copy.",
    request: readCall,
    answer: readAnswer,
  },
  remove: {
    path: "/remove",
    summary: "Remove records",
    description: "For undo. Children are removed before what they belong to.",
    request: removeCall,
    answer: removeAnswer,
  },
  createField: {
    path: "/create-field",
    summary: "Add a custom field",
    description:
      "Optional, for streams with `createsFields`. Before a run writes anything: a field that the customer chose to create. It is sent again after every doubt and at the start of every run, so a field with the same `mark` is answered, not added again.",
    request: createFieldCall,
    answer: createFieldAnswer,
  },
  removeField: {
    path: "/remove-field",
    summary: "Remove a custom field",
    description:
      "Optional, for streams with `createsFields`. At the end of an undo, when the copies are removed. Keep a field in which any record holds a value.",
    request: removeFieldCall,
    answer: removeFieldAnswer,
  },
} as const satisfies Readonly<Record<string, ProtocolCall>>;

export const uploadPath = "/files";
export const openPath = "/files/open";
