import { invalid, ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import type { Gatherings } from "./gatherings.ts";

interface Needs {
  readonly hasFacts: (importId: string) => Promise<boolean>;
  readonly gather: Gatherings["gather"];
}

/** Reads the facts to match from both tools, unless they are stored already; `?anew=true` reads them again. */
export const gatherFactsNow = ({ hasFacts, gather }: Needs): WizardRoute => ({
  method: "POST",
  path: "/mapping/facts",
  handle: async ({ import: found, query }) => {
    const anew = query.get("anew")?.text ?? "false";
    if (anew !== "true" && anew !== "false") return invalid({ anew: ["must be true or false"] });
    if (anew === "false" && (await hasFacts(found.id))) return ok({ gathered: true });
    const gathered = await gather(found);
    switch (gathered.kind) {
      case "gathered":
        return ok({ gathered: true });
      case "late":
        return { status: 202, body: { gathered: false } };
      case "not_connected":
        throw new Problem("conflict", "Connect both tools first.");
      case "failed":
        return {
          status: 503,
          body: { error: { code: "unavailable", message: gathered.message }, side: gathered.side },
        };
    }
  },
});
