import { z } from "zod";
import type { SetNotices, WizardNotices } from "@portage/contract/wizard";
import { maskAddress } from "../../../features/mail/index.ts";
import { emptyOk, ok, Problem } from "../../answer.ts";
import { importEnded } from "../access/gate.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  /** Whether this installation sends mail. */
  readonly sendsMail: boolean;
  readonly saveAddress: (wanted: {
    importId: string;
    email: string;
    language: string;
    session: string | null;
  }) => Promise<"saved" | "changed" | "missing">;
  readonly removeAddress: (importId: string, session: string | null) => Promise<void>;
}

const wanted = z.object({
  // zod accepts plain ASCII only: nothing that could break a header or need an SMTP extension.
  email: z.email("must be an email address").max(254, "must be an email address"),
  language: z
    .string("must be a language such as en or pt-BR")
    .regex(/^[a-z]{2}(-[A-Z]{2})?$/, "must be a language such as en or pt-BR")
    .optional(),
}) satisfies z.ZodType<SetNotices>;

const noMail = () => new Problem("not_found", "This service sends no email.");

/** The customer sets, changes or removes the mail address. Links mailed to a former address stop working. */
export const notices = (needs: Needs): readonly WizardRoute[] => {
  const set: WizardRoute<z.infer<typeof wanted>> = {
    method: "PUT",
    path: "/notices",
    body: wanted,
    handle: async ({ import: found, session, body: { email, language = "en" } }) => {
      if (!needs.sendsMail) throw noMail();
      const wantedBy = session?.hash ?? null;
      const saved = await needs.saveAddress({ importId: found.id, email, language, session: wantedBy });
      if (saved === "missing") throw importEnded();
      return ok({ email: maskAddress(email) } satisfies WizardNotices);
    },
  };
  return [
    set,
    {
      method: "DELETE",
      path: "/notices",
      handle: async ({ import: found, session }) => {
        await needs.removeAddress(found.id, session?.hash ?? null);
        return emptyOk;
      },
    },
  ];
};
