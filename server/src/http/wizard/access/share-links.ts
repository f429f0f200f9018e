import { z } from "zod";
import type { ListedLinks, MadeLink } from "@portage/contract/wizard";
import type { ImportRecord, Side } from "../../../features/imports/index.ts";
import type { KeptLink, LinkMade } from "../../../features/links/index.ts";
import type { Secret } from "../../../platform/secret.ts";
import { emptyOk, invalid, ok, Problem } from "../../answer.ts";
import { importEnded } from "./gate.ts";
import type { WizardRoute } from "./route.ts";

interface Needs {
  readonly makeAdminLink: (found: ImportRecord, side: Side) => Promise<LinkMade>;
  readonly listLinks: (importId: string) => Promise<readonly KeptLink[]>;
  readonly revokeLink: (importId: string, id: string) => Promise<boolean>;
  readonly urlOf: (importId: string, token: Secret) => string;
}

const newLink = z.object({
  purpose: z.literal("admin", { error: "must be admin" }),
  side: z.enum(["source", "destination"], { error: "must be source or destination" }),
});

/** The customer creates, lists and revokes links that let an admin connect one side. */
export const shareLinks = (needs: Needs): readonly WizardRoute[] => {
  const make: WizardRoute<z.infer<typeof newLink>> = {
    method: "POST",
    path: "/links",
    body: newLink,
    handle: async ({ import: found, body: { side } }) => {
      const made = await needs.makeAdminLink(found, side);
      if (made.kind === "missing") throw importEnded();
      if (made.kind === "too_many")
        return invalid({ base: ["There are too many such links already. Revoke one first."] });
      const { id, expiresAt } = made;
      const url = needs.urlOf(found.id, made.token);
      return ok({ id, url, expiresAt: expiresAt.toISOString() } satisfies MadeLink);
    },
  };
  return [
    make,
    {
      method: "GET",
      path: "/links",
      handle: async ({ import: found }) => {
        const links = (await needs.listLinks(found.id)).map((link) => ({
          id: link.id,
          purpose: link.purpose,
          side: link.side,
          createdAt: link.createdAt.toISOString(),
          expiresAt: link.expiresAt.toISOString(),
        }));
        return ok({ links } satisfies ListedLinks);
      },
    },
    {
      method: "DELETE",
      path: "/links/:link",
      handle: async ({ import: found, param }) => {
        if (!(await needs.revokeLink(found.id, param("link"))))
          throw new Problem("not_found", "There is no such link, or it was revoked already.");
        return emptyOk;
      },
    },
  ];
};
