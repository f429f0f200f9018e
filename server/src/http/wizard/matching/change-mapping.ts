import { z } from "zod";
import type { ChoiceSaved } from "../../../features/billing/index.ts";
import type { Mapping } from "../../../features/mapping/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { choicePaidFor, choicePaymentOpen } from "./choice-refused.ts";
import type { FindMatching } from "./matching.ts";
import { maxMappingBytes, readMapping } from "./read-mapping.ts";

interface Needs {
  readonly findMatching: FindMatching;
  readonly saveMapping: (importId: string, based: number, mapping: Mapping) => Promise<ChoiceSaved>;
}

const body = z.object({
  based: z.int({ error: "must be the revision that this was made from" }).min(0),
  mapping: z.unknown(),
});

/** Saves the customer's decisions. A finished sample stays as it is until the customer runs another. */
export const changeMapping = (needs: Needs): WizardRoute<z.infer<typeof body>> => ({
  method: "PUT",
  path: "/mapping",
  body,
  maxBodyBytes: maxMappingBytes,
  handle: async ({ import: { id }, body: { based, mapping } }) => {
    const { facts } = await needs.findMatching(id);
    const read = readMapping(mapping, facts);
    if (read.kind === "invalid") return read.answer;
    const saved = await needs.saveMapping(id, based, read.mapping);
    if (saved.kind === "saved") return ok({ revision: saved.revision, warnings: read.warnings });
    if (saved.kind === "paid_for")
      return { status: 422, body: { problems: [{ path: ["selection"], message: choicePaidFor }] } };
    if (saved.kind === "payment_open") throw choicePaymentOpen();
    const message = "Someone else saved changes in the meantime. Review them first.";
    return { status: 409, body: { error: { code: "conflict", message }, current: saved.current } };
  },
});
