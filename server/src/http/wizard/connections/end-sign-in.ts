import { z } from "zod";
import type { ImportRecord, Side, SignInFinished } from "../../../features/imports/index.ts";
import { invalid } from "../../answer.ts";
import { connectedAnswer } from "./connect.ts";
import type { WizardRoute } from "../access/route.ts";

const body = z.object({
  query: z.string({ error: "must be what came back from the sign-in page, such as code=…&state=…" }),
});

interface Needs {
  readonly finishSignIn: (
    found: ImportRecord,
    query: URLSearchParams,
    only: Side | null,
  ) => Promise<SignInFinished>;
}

/** Completes a sign-in with the query that the tool's sign-in page returned. */
export const endSignIn = ({ finishSignIn }: Needs): WizardRoute<z.infer<typeof body>> => ({
  method: "POST",
  path: "/sign-ins",
  openToAdmin: "always",
  isAttempt: "connect",
  body,
  handle: async ({ import: found, may, body: { query } }) => {
    const only = may === "everything" ? null : may.connect;
    const finished = await finishSignIn(found, new URLSearchParams(query), only);
    return finished.kind === "unknown"
      ? invalid({ base: ["This sign-in took too long or was used already. Start it again."] })
      : connectedAnswer(finished);
  },
});
