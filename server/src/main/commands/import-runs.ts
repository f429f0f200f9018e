import type { OperatorUndoPreview } from "@portage/contract/operator";
import type { Command } from "commander";
import { control, type Reasoned, reasonOption } from "./import.ts";
import { noImport } from "./no-import.ts";
import type { Operator } from "./operator.ts";
import { needOperatorApi } from "./operator-api.ts";
import { pathOf } from "./operator-call.ts";

/** What a person does for a customer: only with a name, so only through the operator API. */
export const importRunCommands = (imports: Command, operator: Operator): void => {
  const named = (name: string, description: string) =>
    reasonOption(imports.command(name).description(description)).argument("<import>", "Import id");
  const controls = [
    ["pause", "Pause the live run, through the operator API", "pauses"],
    ["resume", "Resume the live run, through the operator API", "goes on"],
    ["stop", "Stop the live run, through the operator API", "stops"],
  ] as const;
  for (const [name, description, done] of controls)
    named(name, description).action(async (id: string, { reason }: Reasoned) =>
      control(await needOperatorApi(operator), operator, id, {
        path: `/runs/${name}`,
        done,
        body: { reason },
      }),
    );

  named("run", "Start a run for the customer, through the operator API")
    .argument("<kind>", "sample, full, delta, retry_failed or undo")
    .action(async (id: string, kind: string, { reason }: Reasoned) =>
      control(await needOperatorApi(operator), operator, id, {
        path: "/runs",
        done: `has a run: ${kind}`,
        body: { kind, reason },
      }),
    );

  imports
    .command("undo-preview")
    .description("Show what an undo would remove, through the operator API")
    .argument("<import>", "Import id")
    .action(async (id: string) => {
      const call = await needOperatorApi(operator);
      const json = await call<OperatorUndoPreview>(pathOf`/imports/${id}/undo-preview`, {
        refusals: noImport(id),
      });
      operator.answer(json, () => JSON.stringify({ looked: json.looked, streams: json.streams }, null, 2));
    });
};
