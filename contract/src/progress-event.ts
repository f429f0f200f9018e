import { z } from "zod";
import { importDetail } from "./imports.ts";
import { importEvent } from "./webhook-event.ts";

const { progress } = importDetail.shape;

/** Sent only to endpoints that asked for it; never listed, because only the newest matters. */
export const progressEvent = importEvent
  .omit({ reason: true })
  .extend({ type: z.literal("import.progress"), progress: progress.unwrap() })
  .meta({ id: "ProgressEvent", description: "How far the live run of an import has come." });

export type ProgressEvent = z.infer<typeof progressEvent>;
