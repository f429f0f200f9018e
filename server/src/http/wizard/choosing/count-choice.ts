import type { WizardChosenCounts } from "@portage/contract/wizard";
import { z } from "zod";
import type { ImportRecord } from "../../../features/imports/index.ts";
import { countChosenOrNull, type SourceCounter, type Surveys } from "../../../features/inventory/index.ts";
import { limitsRecords, type Selection, selectionSchema } from "../../../features/mapping/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { notConnected } from "./not-connected.ts";

interface Needs {
  readonly counter: Pick<SourceCounter, "of">;
  readonly surveys: Pick<Surveys, "of">;
  /** Null: the customer does not buy, or the price is not known. */
  readonly priceOf: (found: ImportRecord, selection: Selection) => Promise<WizardChosenCounts["price"]>;
}

const body = z.object({ selection: selectionSchema });

/** How many records a selection moves, and its price, before it is saved. Changes nothing. */
export const countChoice = ({ counter, surveys, priceOf }: Needs): WizardRoute<z.infer<typeof body>> => ({
  method: "POST",
  path: "/choices/count",
  body,
  handle: async ({ import: found, body: { selection } }) => {
    const { id, family } = found;
    const counts = await counter.of(id, family);
    if (counts.kind === "not_connected") throw notConnected();
    const survey = limitsRecords(selection) ? await surveys.of(id, family) : ({ kind: "failed" } as const);
    const counted = await countChosenOrNull(counts, survey, family, selection);
    const unknown = () =>
      counts.streams.map(({ from, look }) => ({
        name: from.stream.name,
        all: look?.count ?? null,
        chosen: null,
        exact: false,
      }));
    return ok({
      reading: counted?.reading ?? false,
      streams: counted?.streams.map(({ stream, ...rest }) => ({ name: stream, ...rest })) ?? unknown(),
      price: await priceOf(found, selection),
    } satisfies WizardChosenCounts);
  },
});
