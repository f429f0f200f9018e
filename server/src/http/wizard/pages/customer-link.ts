import type { FastifyRequest } from "fastify";
import { isStatusCode, linkTokenPattern, simulationIdPattern } from "@portage/contract";
import type { ImportRecord, ImportWithWarnings } from "../../../features/imports/index.ts";
import type { KeptLink, Session } from "../../../features/links/index.ts";
import type { Partner } from "../../../features/partners/index.ts";
import type { Secret } from "../../../platform/secret.ts";
import type { Texts } from "../../../platform/texts/texts.ts";
import type { Answer } from "../../answer.ts";
import type { Mounted } from "../../server.ts";
import { sameToken } from "../access/same-token.ts";
import { sessionCookies } from "../access/session-cookie.ts";
import { applicationPage } from "./application.ts";
import { closedPage, noSessionPage, unknownPage } from "./problem-pages.ts";
import { requestTexts } from "./request-texts.ts";
import { sandboxPage } from "./sandbox-page.ts";
import { simulationPage } from "./simulation-page.ts";

export interface CustomerLinkNeeds {
  readonly findImport: (id: string) => Promise<ImportRecord | undefined>;
  readonly findPartner: (id: string) => Promise<Partner | undefined>;
  readonly findLink: (importId: string, token: string) => Promise<KeptLink | undefined>;
  /** Undefined: the link was replaced meanwhile. */
  readonly openSession: (found: ImportRecord, link: KeptLink | null) => Promise<Secret | undefined>;
  readonly findSession: (importId: string, key: string) => Promise<Session | undefined>;
  readonly lookAtSimulation: (
    id: string,
  ) => Promise<{ readonly found: ImportWithWarnings; readonly isOver: boolean } | undefined>;
  readonly labelOf: (tool: string, partnerName: string) => string;
  readonly publicUrl: string;
  readonly webFolder: string;
}

const screenPattern = /^[a-z][a-z-]{0,31}$/;

const embedOriginsOf = (partner: Partner | null) => partner?.branding.embedOrigins ?? [];

/** Opens a customer link: the link's token is exchanged for a session cookie. */
export const customerLinkRoutes = (needs: CustomerLinkNeeds): readonly Mounted[] => {
  const cookies = sessionCookies(needs.publicUrl);
  const closed = (texts: Texts, found: ImportRecord, partner: Partner | null) => {
    // Customers know the new tool by the partner's name, as on all pages of the wizard.
    const destination = partner?.name ?? texts.pages.closed.newTool;
    return closedPage(texts, found, partner, {
      source: needs.labelOf(found.sourceTool, destination),
      destination,
    });
  };

  const simulated = async (texts: Texts, id: string, token: string): Promise<Answer> => {
    const looked = await needs.lookAtSimulation(id);
    if (!looked || !sameToken(token, looked.found.linkToken)) return unknownPage(texts, null);
    const partner = (await needs.findPartner(looked.found.partnerId)) ?? null;
    return simulationPage({ ...looked, partner });
  };

  const byLink = async (request: FastifyRequest, id: string, token: string): Promise<Answer> => {
    const texts = requestTexts(request);
    if (isStatusCode(id)) return sandboxPage(id);
    if (simulationIdPattern.test(id)) return simulated(texts, id, token);
    const found = await needs.findImport(id);
    if (!found) return unknownPage(texts, null);
    const partner = (await needs.findPartner(found.partnerId)) ?? null;
    const own = sameToken(token, found.linkToken);
    const link = own ? null : await needs.findLink(id, token);
    if (link === undefined) return unknownPage(texts, partner);
    if (found.state.closed) return closed(texts, found, partner);
    const screen = new URLSearchParams((request.raw.url ?? "").split("?")[1]).get("screen") ?? "";
    const headers = {
      location: `/imports/${found.id}${screenPattern.test(screen) ? `/${screen}` : ""}`,
      "referrer-policy": "no-referrer",
    };
    // A HEAD request only checks the link and needs no session.
    if (request.method === "HEAD") return { status: 303, headers };
    const key = await needs.openSession(found, link);
    if (!key) return unknownPage(texts, partner);
    const framed = request.headers["sec-fetch-dest"] === "iframe" && embedOriginsOf(partner).length > 0;
    return { status: 303, headers: { ...headers, "set-cookie": cookies.write(found.id, key, framed) } };
  };

  const byCookie = async (request: FastifyRequest, id: string): Promise<Answer> => {
    const texts = requestTexts(request);
    const found = await needs.findImport(id);
    if (!found) return unknownPage(texts, null);
    const partner = (await needs.findPartner(found.partnerId)) ?? null;
    const key = cookies.read(request.headers.cookie, found.id);
    const session = key === undefined ? undefined : await needs.findSession(found.id, key);
    if (!session) return noSessionPage(texts, partner);
    request.partnerId = found.partnerId;
    if (found.state.closed) return closed(texts, found, partner);
    return applicationPage(needs.webFolder, found, embedOriginsOf(partner), texts);
  };

  return [
    {
      method: "GET",
      path: "/imports/:id",
      answer: async (request) => byCookie(request, (request.params as { id: string }).id),
    },
    {
      method: "GET",
      // The router allows one parameter name here: the segment is a link's token or a screen of the application.
      path: "/imports/:id/:token",
      answer: async (request) => {
        const { id, token } = request.params as { id: string; token: string };
        if (linkTokenPattern.test(token)) return byLink(request, id, token);
        return screenPattern.test(token) ? byCookie(request, id) : unknownPage(requestTexts(request), null);
      },
    },
  ];
};
