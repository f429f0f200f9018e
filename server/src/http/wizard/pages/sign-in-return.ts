import type { Side } from "../../../features/imports/index.ts";
import type { Mounted } from "../../server.ts";
import { lateSignInPage } from "./problem-pages.ts";
import { requestTexts } from "./request-texts.ts";

interface Needs {
  readonly findSignIn: (
    tool: string,
    state: string,
  ) => Promise<{ readonly importId: string; readonly side: Side } | undefined>;
}

const screens: Readonly<Record<Side, string>> = { source: "connect", destination: "destination" };

/**
 * The OAuth callback. It only redirects to the page of the import that started the sign-in: a browser without a session
 * there gets no further, and nothing is connected. The returned query travels behind the "#", which no server and no
 * log sees.
 */
export const signInReturn = ({ findSignIn }: Needs): Mounted => ({
  method: "GET",
  path: "/oauth/callback/:tool",
  answer: async (request) => {
    const { tool } = request.params as { tool: string };
    const query = new URLSearchParams((request.raw.url ?? "").split("?")[1] ?? "");
    const begun = await findSignIn(tool, query.get("state") ?? "");
    if (!begun) return lateSignInPage(requestTexts(request));
    const location = `/imports/${begun.importId}/${screens[begun.side]}#signed-in=${encodeURIComponent(String(query))}`;
    return {
      status: 303,
      headers: { location, "referrer-policy": "no-referrer", "cache-control": "no-store" },
    };
  },
});
