import type { Family } from "@portage/contract";
import { z } from "zod";
import type { ImportRecord } from "../../../features/imports/index.ts";
import type { createAddToSample } from "../../../features/runs/index.ts";
import { ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { streamLabel } from "../represent.ts";

type Added = Awaited<ReturnType<ReturnType<typeof createAddToSample>>>;

interface Needs {
  readonly add: (found: ImportRecord, url: string, signal: AbortSignal) => Promise<Added>;
}

/** The customer waits for the response. */
const patienceMs = 20_000;

const body = z.object({
  url: z
    .string({ error: "must be the address of a record" })
    .min(1, { error: "must be the address of a record" })
    .max(4_000, { error: "is too long" }),
});

const whyNot = (family: Family, added: Exclude<Added, { kind: "added" | "unavailable" }>): string => {
  switch (added.kind) {
    case "not_supported":
      return "Records of this tool can't be added by their address.";
    case "not_recognised":
      return "This is not the address of a record in the old tool that is connected.";
    case "not_included":
      return `${streamLabel(family, added.stream)} are not part of this move.`;
    case "not_found":
      return "There is no such record, or the account that is connected may not see it.";
    case "not_connected":
      return "Connect the old tool first.";
    case "busy":
      return "The sample is being made just now. Try again when it is done.";
    case "full":
      return `At most ${added.most} records can be added.`;
  }
};

/** Adds a record to the sample by its address in the source tool. */
export const addRecord = ({ add }: Needs): WizardRoute<z.infer<typeof body>> => ({
  method: "POST",
  path: "/sample/records",
  body,
  handle: async ({ import: found, body: { url } }) => {
    const added = await add(found, url, AbortSignal.timeout(patienceMs));
    if (added.kind === "unavailable")
      throw new Problem("unavailable", "The old tool does not answer now. Try again in a moment.");
    if (added.kind !== "added") throw new Problem("conflict", whyNot(found.family, added));
    return ok({ stream: added.stream, id: added.id });
  },
});
