import { deriveTheme, type Logo, type Partner } from "../../../features/partners/index.ts";
import { type Answer, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly findPartner: (id: string) => Promise<Partner | undefined>;
  readonly findLogo: (partnerId: string) => Promise<Logo | undefined>;
}

const file = (contentType: string, body: string | Buffer, policy: string): Answer => ({
  status: 200,
  body,
  headers: {
    "content-type": contentType,
    "cache-control": "private, max-age=300",
    "content-security-policy": policy,
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  },
});

/** The partner's colors and logo: the only branding that the pages use. */
export const showBrand = ({ findPartner, findLogo }: Needs): readonly WizardRoute[] => [
  {
    method: "GET",
    path: "/theme.css",
    openToAdmin: "always",
    evenClosed: true,
    handle: async ({ import: { partnerId } }) => {
      const { css } = deriveTheme((await findPartner(partnerId))?.branding.color);
      return file("text/css; charset=utf-8", css, "default-src 'none'");
    },
  },
  {
    method: "GET",
    path: "/logo",
    openToAdmin: "always",
    evenClosed: true,
    handle: async ({ import: { partnerId } }) => {
      const logo = await findLogo(partnerId);
      if (!logo) throw new Problem("not_found", "This partner has no logo.");
      // An SVG is a document: opened directly, it must not run scripts or belong to our origin.
      const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
      return file(logo.contentType, logo.bytes, policy);
    },
  },
];
