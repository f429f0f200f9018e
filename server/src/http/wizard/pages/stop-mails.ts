import { importIdPattern } from "@portage/contract";
import { htmlPage } from "../../html.ts";
import type { Mounted } from "../../server.ts";

interface Needs {
  readonly stopByKey: (importId: string, key: string) => Promise<boolean>;
}

const keyPattern = /^[0-9a-f]{32}$/;

/**
 * Where a mail's own link stops mails: the page asks, since programs that look at mails open every link; a POST does it,
 * from the page or by the mail program itself (RFC 8058). Neither says whether the key was right.
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
          form: true,
        }),
    },
    {
      method: "POST",
      path,
      answer: async (request) => {
        const { id, key } = request.params as { id: string; key: string };
        // Texts that none of ours can be are not asked for: the database refuses some outright.
        if (importIdPattern.test(id) && keyPattern.test(key)) await stopByKey(id, key);
        return htmlPage({
          title: "The emails are stopped",
          main: "<p>You will get no more emails about this move at this address. You can ask for them again on the pages of the move.</p>",
        });
      },
    },
  ];
};
