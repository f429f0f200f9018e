import { z } from "zod";
import type { SetNotices, WizardNotices } from "@portage/contract/wizard";
import { maskAddress } from "../../../features/mail/index.ts";
import { emptyOk, ok, Problem } from "../../answer.ts";
import { importEnded } from "../access/gate.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  /** Whether anybody is written to at all. */
  readonly sendsMail: boolean;
  readonly saveAddress: (wanted: {
    importId: string;
    email: string;
    language: string;
  }) => Promise<"saved" | "changed" | "missing">;
  readonly removeAddress: (importId: string) => Promise<boolean>;
  /** But for the link that this session came by. */
  readonly revokeMailedLinks: (importId: string, session: string | null) => Promise<void>;
}

const wanted = z.object({
  // Plain ASCII by zod's own rule: nothing that could end a header, or need an extension of SMTP.
  email: z.email("must be an email address").max(254, "must be an email address"),
  language: z
    .string("must be a language such as en or pt-BR")
    .regex(/^[a-z]{2}(-[A-Z]{2})?$/, "must be a language such as en or pt-BR")
    .optional(),
}) satisfies z.ZodType<SetNotices>;

const noMail = () => new Problem("not_found", "This service sends no email.");

/** The customer asks to be written to, at another address, or no more. What was mailed to an address that is not theirs any more opens nothing. */
export const notices = (needs: Needs): readonly WizardRoute[] => {
  const set: WizardRoute<z.infer<typeof wanted>> = {
    method: "PUT",
    path: "/notices",
    body: wanted,
    handle: async ({ import: found, session, body: { email, language = "en" } }) => {
      if (!needs.sendsMail) throw noMail();
      const saved = await needs.saveAddress({ importId: found.id, email, language });
      if (saved === "missing") throw importEnded();
      if (saved === "changed") await needs.revokeMailedLinks(found.id, session?.hash ?? null);
      return ok({ email: maskAddress(email) } satisfies WizardNotices);
    },
  };
  return [
    set,
    {
      method: "DELETE",
      path: "/notices",
      handle: async ({ import: found, session }) => {
        if (await needs.removeAddress(found.id))
          await needs.revokeMailedLinks(found.id, session?.hash ?? null);
        return emptyOk;
      },
    },
  ];
};
