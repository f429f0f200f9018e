import { importIdPattern } from "@portage/contract";
import { htmlPage } from "../../html.ts";
import type { Mounted } from "../../server.ts";

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
      answer: async () =>
        htmlPage({
          title: "Stop these emails?",
          main: `<p>You will get no more emails about this move at this address. The move itself is not affected.</p>
<form method="post"><button type="submit">Stop these emails</button></form>`,
          hasForm: true,
        }),
    },
    {
      method: "POST",
      path,
      answer: async (request) => {
        const { id, key } = request.params as { id: string; key: string };
        // Skip the query for malformed values: PostgreSQL rejects some texts.
        if (importIdPattern.test(id) && keyPattern.test(key)) await stopByKey(id, key);
        return htmlPage({
          title: "The emails are stopped",
          main: "<p>You will get no more emails about this move at this address. You can ask for them again on the pages of the move.</p>",
        });
      },
    },
  ];
};
