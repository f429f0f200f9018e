import { escapeHtml } from "../../platform/escape-html.ts";
import { ok } from "../answer.ts";
import { documentationPage } from "../html.ts";
import type { Mounted } from "../server.ts";

interface Card {
  readonly href: string;
  readonly title: string;
  readonly text: string;
}

const cards: readonly Card[] = [
  {
    href: "/docs/api",
    title: "API reference",
    text: "Every operation of the partner API 2.1, with its answers and errors.",
  },
  {
    href: "/docs",
    title: "Documentation",
    text: "For partners, operators and authors of connectors, with a search.",
  },
  {
    href: "/downloads",
    title: "SDK",
    text: "The client for JavaScript and TypeScript, to install from here.",
  },
  {
    href: "/docs/api#tag/sandbox",
    title: "Sandbox",
    text: "The same operations under /api/sandbox: they validate, and write nothing.",
  },
  {
    href: "/docs/api#tag/simulator",
    title: "Simulator",
    text: "The same under /api/simulator: it plays whole imports in seconds, with real webhooks.",
  },
  {
    href: "/docs/api/changelog",
    title: "Changelog",
    text: "What changed in the partner API, newest first.",
  },
  {
    href: "/docs/api/openapi.json",
    title: "OpenAPI document",
    text: "The reference for programs, in OpenAPI 3.1.",
  },
  {
    href: "/healthz",
    title: "Health",
    text: "Whether the service is up. /readyz says whether it accepts requests.",
  },
];

/** For programs: the addresses that they use. */
const addresses = {
  api: "/api/v2.1",
  sandbox: "/api/sandbox",
  simulator: "/api/simulator",
  reference: "/docs/api",
  openapi: "/docs/api/openapi.json",
  sdk: "/downloads",
  changelog: "/docs/api/changelog",
  health: "/healthz",
} as const;

const description = [
  "Portage moves your customer's data from an old tool into yours.",
  "Your application creates an import and sends the customer here, to connect both tools, review a free sample and move everything.",
];

const page = () =>
  documentationPage({
    title: "Portage",
    main: `<p class="lead">${escapeHtml(description.join(" "))}</p><ul class="links">${cards
      .map(
        ({ href, title, text }) =>
          `<li><a href="${href}">${escapeHtml(title)}</a><p>${escapeHtml(text)}</p></li>`,
      )
      .join("")}</ul>`,
  });

/** A client that names JSON and not HTML; a browser names HTML, and curl neither. */
const wantsJson = (accept: string | undefined) =>
  accept !== undefined && /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);

/** The landing page, public; its links as JSON for a client that asks for JSON. */
export const landingRoute = (publicUrl: string): Mounted => ({
  method: "GET",
  path: "/",
  answer: async ({ headers }) => {
    const vary = { vary: "accept" };
    if (wantsJson(headers.accept))
      return ok(
        {
          name: "Portage",
          description: description.join(" "),
          links: Object.fromEntries(
            Object.entries(addresses).map(([name, path]) => [name, `${publicUrl}${path}`]),
          ),
        },
        vary,
      );
    const shown = page();
    return { ...shown, headers: { ...shown.headers, ...vary } };
  },
});
