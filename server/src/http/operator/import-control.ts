import { importIdPattern } from "@portage/contract";
import { changedImport, linkSchema } from "@portage/contract/operator";
import { z } from "zod";
import { decideSponsorship } from "../../features/billing/index.ts";
import { eraseImport, makeReceipt } from "../../features/erasure/index.ts";
import {
  type ImportEvent,
  type ImportRecord,
  lockImport,
  type Moved,
  moveImport,
  redirectUrl,
  reissueLink,
  runControls,
  whyNotControlled,
  whyNotStarted,
} from "../../features/imports/index.ts";
import { isWithinWindow, needsWindow, runRequest, runRequestEvent } from "../../features/runs/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Signer } from "../../platform/sign.ts";
import { Problem } from "../answer.ts";
import { importNotFound, knownImport } from "./find.ts";
import {
  actorOf,
  type CallOutcome,
  type OperatorCall,
  type OperatorOperation,
  operatorRoute,
  type OperatorRoute,
} from "./operation.ts";
import { auditedState, importJson } from "./represent.ts";

export interface ImportControlNeeds {
  readonly sealer: Sealer;
  readonly signer: Signer;
  readonly publicUrl: string;
}

/** The import as no one else changes it until this call has ended: the log must have the state that it changes. */
const heldImport = async (db: Database, sealer: Sealer, id: string): Promise<ImportRecord> => {
  if (!importIdPattern.test(id)) throw importNotFound();
  await db.sql.transaction().execute((tx) => lockImport(tx, id));
  return knownImport(db, sealer, id);
};

/** Lets the state machine decide, as for the customer and the partner; the import's own log names the person. */
const moved = async (
  { sealer }: Pick<ImportControlNeeds, "sealer">,
  { db, session, params }: OperatorCall,
  move: (found: ImportRecord, actor: ReturnType<typeof actorOf>) => Promise<Moved>,
  whyNot: (found: ImportRecord) => string,
): Promise<CallOutcome> => {
  const { id = "" } = params;
  const before = await heldImport(db, sealer, id);
  const result = await move(before, actorOf(session));
  if (result.kind === "missing") throw importNotFound();
  if (result.kind === "refused")
    throw new Problem(
      "conflict",
      before.state.closed ? `The import is ${before.state.closed}.` : whyNot(before),
    );
  const after = await knownImport(db, sealer, id);
  return {
    body: { ...importJson(after), changed: result.kind === "moved" },
    target: { kind: "import", id },
    before: auditedState(before),
    after: auditedState(after),
  };
};

const control = (
  operation: Pick<OperatorOperation, "id" | "path" | "summary" | "description" | "conflict" | "role">,
): OperatorOperation => ({ ...operation, method: "POST", area: "imports", answer: changedImport });

const startRun = (needs: ImportControlNeeds) =>
  operatorRoute(
    {
      ...control({
        id: "startRun",
        path: "/imports/:id/runs",
        role: "operator",
        summary: "Start a run",
        description:
          "For the customer: a sample, the full migration, a delta, a retry of what failed, or an undo. A retry takes up " +
          "everything, or only the `causes` that you name (`stream` and `code`, as in the import's findings). The rules are the " +
          "customer's: paid, connected, and nothing else running. Preview an undo before you start it.",
        conflict: "The import's state does not allow it; the message says why.",
      }),
      body: runRequest,
    },
    (call) => {
      let withinWindow = false;
      return moved(
        needs,
        call,
        async (found, actor) => {
          withinWindow = needsWindow(call.body) && (await isWithinWindow(call.db, found));
          const event = runRequestEvent(call.body, withinWindow);
          return moveImport(call.db, event, { importId: found.id, partnerId: null, actor });
        },
        ({ state }) => whyNotStarted(call.body.kind, state, withinWindow),
      );
    },
  );

const controlTexts: Readonly<Record<keyof typeof runControls, readonly [id: string, summary: string]>> = {
  pause: ["pauseRun", "Pause the live run"],
  resume: ["resumeRun", "Resume the live run"],
  stop: ["stopRun", "Stop the live run"],
  "stop-and-undo": ["stopAndUndoRun", "Stop the live run and undo it"],
};

const controlRuns = (needs: ImportControlNeeds): readonly OperatorRoute[] =>
  Object.entries(runControls).map(([name, event]: [string, ImportEvent]) => {
    const [id, summary] = controlTexts[name as keyof typeof runControls];
    return operatorRoute(
      control({
        id,
        path: `/imports/:id/runs/${name}`,
        role: "operator",
        summary,
        description: "The run reacts at its next page. Safe to repeat.",
        conflict: "There is no run that this can be done to; the message says why.",
      }),
      (call) =>
        moved(
          needs,
          call,
          (found, actor) => moveImport(call.db, event, { importId: found.id, partnerId: null, actor }),
          ({ state }) => whyNotControlled(state),
        ),
    );
  });

const decide = (needs: ImportControlNeeds) =>
  operatorRoute(
    {
      ...control({
        id: "decideSponsorship",
        path: "/imports/:id/sponsorship",
        role: "operator",
        summary: "Decide on sponsorship",
        description: "In the partner's place: whether it pays for the full migration. Safe to repeat.",
        conflict: "The sponsored full migration has already started.",
      }),
      body: z.object({
        decision: z.enum(["accepted", "rejected"], { error: "must be accepted or rejected" }),
      }),
    },
    (call) =>
      moved(
        needs,
        call,
        ({ id }, actor) =>
          decideSponsorship(call.db, { importId: id, partnerId: null, decision: call.body.decision, actor }),
        () => "The full migration has already started.",
      ),
  );

const close = (
  needs: ImportControlNeeds,
  as: "cancelled" | "archived",
  operation: Parameters<typeof control>[0],
) =>
  operatorRoute(control(operation), (call) =>
    moved(
      needs,
      call,
      async ({ id, state }, actor): Promise<Moved> =>
        state.closed === as
          ? { kind: "unchanged" }
          : moveImport(call.db, { type: as }, { importId: id, partnerId: null, actor }),
      ({ state }) => `A run is live (${state.liveRun}): wait until it ends, or cancel the import.`,
    ),
  );

const reissue = (needs: ImportControlNeeds) =>
  operatorRoute(
    {
      id: "reissueLink",
      method: "POST",
      path: "/imports/:id/link",
      area: "imports",
      role: "operator",
      summary: "Re-issue the customer link",
      description: "The old link, its sessions and the links made from it stop working.",
      answer: linkSchema,
      conflict: "The import is closed.",
    },
    async ({ db, params }) => {
      const { id = "" } = params;
      const { sealer, publicUrl } = needs;
      const before = await heldImport(db, sealer, id);
      const token = await reissueLink(db, sealer, id);
      if (!token)
        throw new Problem("conflict", `The import is ${before.state.closed}: it has no link any more.`);
      const after = await knownImport(db, sealer, id);
      return {
        body: { id, redirect_url: redirectUrl(publicUrl, id, token) },
        target: { kind: "import", id },
        before: { link_mark: before.linkMark },
        after: { link_mark: after.linkMark },
      };
    },
  );

const erase = (needs: ImportControlNeeds) =>
  operatorRoute(
    {
      id: "eraseImport",
      method: "POST",
      path: "/imports/:id/erase",
      area: "imports",
      role: "admin",
      summary: "Erase the customer's data",
      description:
        "Of a closed import without a live run: everything that identifies its customer, for good. Payments stay. The answer " +
        "is a signed receipt. Safe to repeat: the receipt is the same.",
      answer: z.object({ receipt: z.object({ import: z.string() }).loose(), jws: z.string() }),
      conflict: "The import is open, or its run has not ended.",
    },
    async ({ db, params }) => {
      const { id = "" } = params;
      const { sealer, signer } = needs;
      const before = await knownImport(db, sealer, id);
      const erased = await eraseImport(db, id);
      switch (erased.kind) {
        case "missing":
          throw importNotFound();
        case "open":
          throw new Problem(
            "conflict",
            "The import is open: its customer may still use it. Cancel it first.",
          );
        case "live_run":
          throw new Problem("conflict", "The import's run has not ended: wait until it has stopped.");
        case "erased": {
          const { receipt, jws } = makeReceipt(erased.erasure, signer);
          return {
            body: { receipt, jws },
            target: { kind: "import", id },
            before: auditedState(before),
            after: { erased: erased.erasure.erased },
          };
        }
      }
    },
  );

export const importControl = (needs: ImportControlNeeds): readonly OperatorRoute[] => [
  startRun(needs),
  ...controlRuns(needs),
  decide(needs),
  reissue(needs),
  close(needs, "cancelled", {
    id: "cancelImport",
    path: "/imports/:id/cancel",
    role: "operator",
    summary: "Cancel an import",
    description: "Ends its run and deletes its credentials; undoes nothing. Safe to repeat.",
    conflict: "The import is archived.",
  }),
  close(needs, "archived", {
    id: "archiveImport",
    path: "/imports/:id/archive",
    role: "operator",
    summary: "Archive an import",
    description: "One without a live run; deletes its credentials. Safe to repeat.",
    conflict: "The import has a live run, or is cancelled.",
  }),
  erase(needs),
];
