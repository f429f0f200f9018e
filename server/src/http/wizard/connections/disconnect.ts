import type { Disconnected, Side } from "../../../features/imports/index.ts";
import { emptyOk, Problem } from "../../answer.ts";
import { importEnded } from "../access/gate.ts";
import type { WizardRoute } from "../access/route.ts";
import { readSide } from "./side.ts";

interface Needs {
  readonly disconnectSide: (importId: string, side: Side) => Promise<Disconnected>;
}

/** Erases the credentials of a side. */
export const disconnect = ({ disconnectSide }: Needs): WizardRoute => ({
  method: "DELETE",
  path: "/connections/:side",
  openToAdmin: "own_side",
  handle: async ({ import: found, param }) => {
    const { kind } = await disconnectSide(found.id, readSide(param("side")));
    if (kind === "missing") throw importEnded();
    if (kind === "under_way")
      throw new Problem("conflict", "A copy is running. Stop it first, then disconnect the tool.");
    return emptyOk;
  },
});
