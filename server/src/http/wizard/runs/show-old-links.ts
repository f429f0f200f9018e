import { Readable } from "node:stream";
import type { WizardOldLinks } from "@portage/contract/wizard";
import type { OldLinksService } from "../../../features/runs/index.ts";
import { ok, Problem } from "../../answer.ts";
import type { Unsent } from "../represent.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly oldLinks: Pick<OldLinksService, "find" | "csv" | "json">;
  readonly publicUrl: string;
}

const none = () =>
  new Problem("not_found", "No old links are kept. They are from the end of the full move, for a time.");

const types = { csv: "text/csv; charset=utf-8; header=present", json: "application/json; charset=utf-8" };

/** Which old addresses lead to the new records, until when, and lists of all. */
export const oldLinkRoutes = ({ oldLinks, publicUrl }: Needs): readonly WizardRoute[] => [
  {
    method: "GET",
    path: "/old-links",
    handle: async ({ import: { id } }) => {
      const found = await oldLinks.find(id);
      return ok({
        links: found
          ? {
              resolver: `${publicUrl}/r/${id}/`,
              until: found.until,
              oldUrl: found.oldUrl,
              readsAddresses: found.readsAddresses,
            }
          : null,
      } satisfies Unsent<WizardOldLinks>);
    },
  },
  ...(["csv", "json"] as const).map(
    (format): WizardRoute => ({
      method: "GET",
      path: `/old-links.${format}`,
      handle: async ({ import: { id } }) => {
        const text = await oldLinks[format](id);
        if (!text) throw none();
        return ok(Readable.from(text), {
          "content-type": types[format],
          "content-disposition": `attachment; filename="old-links-${id}.${format}"`,
          "x-content-type-options": "nosniff",
        });
      },
    }),
  ),
];
