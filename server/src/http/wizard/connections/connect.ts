import type { ConnectRefused, WizardConnected } from "@portage/contract/wizard";
import { z } from "zod";
import { predicates, type Refusal } from "../../../features/connections/index.ts";
import type { Connected, ImportRecord, Side } from "../../../features/imports/index.ts";
import { type Answer, invalid, ok } from "../../answer.ts";
import { importEnded } from "../access/gate.ts";
import type { WizardRoute } from "../access/route.ts";
import { readSide } from "./side.ts";

export const settingsBody = z.object({
  settings: z.record(z.string(), z.unknown(), { error: "must be an object with the tool's settings" }),
});

interface Needs {
  readonly connectSide: (found: ImportRecord, side: Side, typed: object) => Promise<Connected>;
}

const refused = (refusal: Refusal): Answer => {
  const { code, message, fix, setting } = refusal;
  const errors = { ...(setting !== null && { [setting]: [predicates[code]] }), base: [message, fix] };
  return { status: 422, body: { ...errors, refusal } satisfies ConnectRefused };
};

/** The response to an attempt to connect a side. */
export const connectedAnswer = (outcome: Connected): Answer => {
  switch (outcome.kind) {
    case "connected":
      return ok({
        accountName: outcome.account.accountName,
        signInName: outcome.account.signInName,
      } satisfies WizardConnected);
    case "invalid":
      return invalid(outcome.errors);
    case "refused":
    case "unchecked":
      return refused(outcome.refusal);
    case "sign_in_needed":
      return invalid({ base: ["Sign in at the tool's own page to connect it."] });
    case "other_account":
    case "other_key":
      return invalid({ base: [outcome.message] });
    case "missing":
      throw importEnded();
  }
};

/** Connects or reconnects a side: 200 only after the tool has accepted the credentials. */
export const connect = ({ connectSide }: Needs): WizardRoute<z.infer<typeof settingsBody>> => ({
  method: "PUT",
  path: "/connections/:side",
  openToAdmin: "own_side",
  isAttempt: "connect",
  // The columns of uploaded files are settings too.
  maxBodyBytes: 1024 * 1024,
  body: settingsBody,
  handle: async ({ import: found, param, body: { settings } }) =>
    connectedAnswer(await connectSide(found, readSide(param("side")), settings)),
});
