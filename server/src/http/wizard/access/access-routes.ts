import { redirectUrl } from "../../../features/imports/index.ts";
import { listLinks, makeLink, revokeLink } from "../../../features/links/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { WizardRoute } from "./route.ts";
import { shareLinks } from "./share-links.ts";

/** Long enough for an admin who is absent for some days. */
const adminLinkMs = 7 * 24 * 3_600_000;

/** Links that let a customer's colleague connect one of the tools. */
export const accessRoutes = ({
  db,
  publicUrl,
}: {
  readonly db: Database;
  readonly publicUrl: string;
}): readonly WizardRoute[] =>
  shareLinks({
    makeAdminLink: ({ id, linkMark }, side) =>
      makeLink(db, {
        importId: id,
        side,
        purpose: "admin",
        expiresInMs: adminLinkMs,
        underMark: linkMark,
      }),
    listLinks: (importId) => listLinks(db, importId),
    revokeLink: (importId, id) => revokeLink(db, importId, id),
    urlOf: (importId, token) => redirectUrl(publicUrl, importId, token),
  });
