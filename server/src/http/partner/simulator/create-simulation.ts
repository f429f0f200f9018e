import { type createSimulation, maxLive } from "../../../features/simulator/index.ts";
import { newImportRefused } from "../../../features/imports/index.ts";
import { invalid } from "../../answer.ts";
import { idempotencyKey } from "../../idempotency-key.ts";
import type { PartnerRoute } from "../operation.ts";
import { toCreated } from "../represent.ts";
import { createImportOperation } from "../v2.1/create-import.ts";

interface Needs {
  readonly createSimulation: ReturnType<typeof createSimulation>;
  readonly publicUrl: string;
}

const refused = (sentence: string) => invalid(newImportRefused({ base: [sentence] }).errors);

/** `POST /imports` of the simulator: the same request, the same answers. */
export const createSimulationRoute = ({ createSimulation: create, publicUrl }: Needs): PartnerRoute => ({
  operation: createImportOperation,
  handle: async ({ partner, body, bodyText, header }) => {
    const key = idempotencyKey(header("idempotency-key"));
    const once = key === undefined ? null : { key, request: bodyText };
    const created = await create(partner, { body, once });
    switch (created.kind) {
      case "created":
        return { status: 201, body: toCreated(publicUrl, created) };
      case "invalid":
        return invalid(created.errors);
      case "other_request":
        return refused("This idempotency key was used with another body.");
      case "too_many":
        return refused(
          `${maxLive} simulations are under way: wait some seconds until one has ended, or cancel one.`,
        );
    }
  },
});
