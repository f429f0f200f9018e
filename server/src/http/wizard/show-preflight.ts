import type { WizardPreflight } from "@portage/contract/wizard";
import type { Unsent } from "./unsent.ts";
import type { RunPreflight } from "../../features/preflight/index.ts";
import { ok } from "../answer.ts";
import type { WizardRoute } from "./route.ts";

interface Needs {
  readonly preflight: RunPreflight;
}

/** What would be in the way of a full run, what it would leave behind, and how long it would take. */
export const showPreflight = ({ preflight }: Needs): WizardRoute => ({
  method: "GET",
  path: "/preflight",
  handle: async ({ import: { id } }) => ok((await preflight(id)) satisfies Unsent<WizardPreflight>),
});
