import type { WizardSampleChanges } from "@portage/contract/wizard";
import type { ImportRecord } from "../../../features/imports/index.ts";
import type { listSampleChanges } from "../../../features/runs/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { streamLabel, type Unsent, webAddress } from "../represent.ts";

type Changes = Awaited<ReturnType<typeof listSampleChanges>>;
type Change = Changes[number]["changes"][number];

interface Needs {
  readonly listChanges: (importId: string) => Promise<Changes>;
  /** The display name of a field that changed. */
  readonly labelsOf: (
    found: Pick<ImportRecord, "id">,
  ) => Promise<(stream: string, change: Pick<Change, "field" | "why">) => string>;
}

/** The fields that changed in the sample, with the reason, the number of records, and an example. */
export const listChanges = (needs: Needs): WizardRoute => ({
  method: "GET",
  path: "/sample/changes",
  handle: async ({ import: found }) => {
    const streams = await needs.listChanges(found.id);
    const labelOf = await needs.labelsOf(found);
    return ok({
      streams: streams.map(({ stream, changes }) => ({
        stream,
        label: streamLabel(found.family, stream),
        changes: changes.map(({ example: { sourceId, sourceUrl }, ...change }) => ({
          ...change,
          label: labelOf(stream, change),
          example: { id: sourceId, address: webAddress(sourceUrl) },
        })),
      })),
    } satisfies Unsent<WizardSampleChanges>);
  },
});
