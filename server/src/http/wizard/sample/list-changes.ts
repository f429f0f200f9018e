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
  /** What people call a field that came out otherwise. */
  readonly labelsOf: (
    found: Pick<ImportRecord, "id">,
  ) => Promise<(stream: string, change: Pick<Change, "field" | "why">) => string>;
}

/** Which fields of the sample came out otherwise, why, in how many records, and one of them to look at. */
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
