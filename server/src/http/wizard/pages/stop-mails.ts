import { importIdPattern } from "@portage/contract";
import { escapeHtml } from "../../../platform/escape-html.ts";
import { htmlPage } from "../../html.ts";
import type { Mounted } from "../../server.ts";
import { requestTexts } from "./request-texts.ts";

interface Needs {
  readonly stopByKey: (importId: string, key: string) => Promise<boolean>;
}

const keyPattern = /^[0-9a-f]{32}$/;

/**
 * The unsubscribe link of a mail. GET only asks for confirmation, because mail scanners open every link; POST
 * unsubscribes, from the page or from the mail client (RFC 8058). Neither reveals whether the key is valid.
 */
export const stopMails = ({ stopByKey }: Needs): readonly Mounted[] => {
  const path = "/mail/stop/:id/:key";
  return [
    {
      method: "GET",
      path,
      answer: async (request) => {
        const { language, pages } = requestTexts(request);
        const { title, lead, button } = pages.stopMails;
        return htmlPage({
          language,
          title,
          main: `<p>${escapeHtml(lead)}</p>
<form method="post"><button type="submit">${escapeHtml(button)}</button></form>`,
          hasForm: true,
        });
      },
    },
    {
      method: "POST",
      path,
      answer: async (request) => {
        const { id, key } = request.params as { id: string; key: string };
        // Skip the query for malformed values: PostgreSQL rejects some texts.
        if (importIdPattern.test(id) && keyPattern.test(key)) await stopByKey(id, key);
        const { language, pages } = requestTexts(request);
        const { doneTitle: title, done } = pages.stopMails;
        return htmlPage({ language, title, main: `<p>${escapeHtml(done)}</p>` });
      },
    },
  ];
};
