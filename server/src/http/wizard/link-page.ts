import { createHash, timingSafeEqual } from "node:crypto";
import { isStatusCode, linkTokenPattern, statusTexts } from "@portage/contract";
import type { ImportRecord } from "../../features/imports/index.ts";
import type { ToolRegistry } from "../../features/tools/index.ts";
import type { Secret } from "../../platform/secret.ts";
import { escapeHtml, htmlPage } from "../html.ts";
import type { Mounted } from "../server.ts";

const sameToken = (given: string, kept: Secret) => {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(kept.reveal()));
};

const sandboxPage = (status: string) =>
  htmlPage({
    title: "This is the sandbox",
    main: `<p>Your application sent its customer to the right place. In the sandbox nothing is imported; this import
stands at <strong>${escapeHtml(status)}</strong>.</p>`,
  });

const unknownPage = () =>
  htmlPage({
    status: 404,
    title: "This link does not work",
    main: "<p>It may have been replaced by a newer one, or the import has ended. Ask whoever sent it to you for a new link.</p>",
  });

interface Needs {
  readonly findImport: (id: string) => Promise<ImportRecord | undefined>;
  readonly registry: ToolRegistry;
}

/** Where the customer arrives: the link is the key. */
export const linkPage = ({ findImport, registry }: Needs): Mounted => ({
  method: "GET",
  path: "/imports/:id/:token",
  answer: async (request) => {
    const { id, token } = request.params as { id: string; token: string };
    if (!linkTokenPattern.test(token)) return unknownPage();
    if (isStatusCode(id)) return sandboxPage(statusTexts[id]);
    const found = await findImport(id);
    if (!found || found.state.closed || !sameToken(token, found.linkToken)) return unknownPage();
    const label = (tool: string) => escapeHtml(registry.find(tool)?.manifest.label ?? tool);
    return htmlPage({
      title: "Your import",
      main: `<dl><dt>From</dt><dd>${label(found.sourceTool)}</dd><dt>To</dt><dd>${label(found.destinationTool)}</dd>
<dt>Status</dt><dd>${escapeHtml(statusTexts[found.state.status])}</dd></dl>`,
    });
  },
});
