import type { z } from "zod";
import type { SignInBegun } from "../../../features/connections/index.ts";
import type { ImportRecord, Side } from "../../../features/imports/index.ts";
import { invalid, ok } from "../../answer.ts";
import { settingsBody } from "./connect.ts";
import type { WizardRoute } from "../access/route.ts";
import { readSide } from "./side.ts";

interface Needs {
  readonly beginSignIn: (found: ImportRecord, side: Side, typed: object) => Promise<SignInBegun>;
}

/** Returns the address of the tool's own sign-in page. */
export const startSignInRoute = ({ beginSignIn }: Needs): WizardRoute<z.infer<typeof settingsBody>> => ({
  method: "POST",
  path: "/connections/:side/sign-in",
  openToAdmin: "own_side",
  isAttempt: "connect",
  body: settingsBody,
  handle: async ({ import: found, param, body: { settings } }) => {
    const begun = await beginSignIn(found, readSide(param("side")), settings);
    if (begun.kind === "go") return ok({ url: begun.url });
    if (begun.kind === "invalid") return invalid(begun.errors);
    if (begun.kind === "not_offered")
      return invalid({ base: [`You can't sign in to ${begun.label} from here.`] });
    return invalid({
      base: [
        `You can't sign in to ${begun.label} at ${begun.origin} from here yet. Check the address; if it is right, ask us to add it.`,
      ],
    });
  },
});
