import type { OperatorChangedImport, OperatorImportDetail, OperatorLink } from "@portage/contract/operator";
import type { Command } from "commander";
import { CommandError } from "./command-error.ts";
import { importListText, importText, type Receipt, receiptSheet } from "./import-shown.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { listPages, type OperatorClient, pathOf, sameOption } from "./operator-call.ts";
import { limitOption } from "./paging.ts";
import { noImport } from "./no-import.ts";
import { noPartner } from "./no-partner.ts";

export interface Reasoned {
  readonly reason?: string;
}

export const reasonOption = (command: Command): Command =>
  command.option("--reason <text>", "Why, for the audit log");

/** Changes an import and says what became of it. Repeating it is not an error, so that scripts can run again. */
export const control = async (
  call: OperatorClient,
  operator: Operator,
  id: string,
  { path, done, body }: { readonly path: string; readonly done: string; readonly body: object },
): Promise<void> => {
  const json = await call<OperatorChangedImport>(`${pathOf`/imports/${id}`}${path}`, {
    method: "POST",
    body,
    refusals: noImport(id),
  });
  operator.answer(json, () => `${id} ${done}${json.changed ? "." : " already; nothing changed."}`);
};

const erase = (call: OperatorClient, id: string, reason: string | undefined) =>
  call<Receipt>(pathOf`/imports/${id}/erase`, {
    method: "POST",
    body: { reason },
    refusals: {
      ...noImport(id),
      conflict: (message) =>
        new CommandError("conflict", message, {
          fix: `Run: portage import cancel ${id}, and wait until its run has stopped: portage import show ${id}`,
        }),
    },
  });

const eraseCustomer = async (call: OperatorClient, name: string, { partner, reason }: EraseOptions) => {
  const { receipts } = await call<{ readonly receipts: readonly Receipt[] }>("/erasures", {
    method: "POST",
    body: { destination_username: name, partner, reason },
    refusals: noPartner(partner ?? ""),
  });
  return receipts;
};

interface EraseOptions extends Reasoned {
  readonly destinationUsername?: string;
  readonly partner?: string;
}

interface ListOptions {
  readonly limit: number;
  readonly partner?: string;
  readonly reference?: string;
  readonly status?: string;
  readonly before?: string;
  readonly stuck?: true;
}

export const importCommands = (imports: Command, operator: Operator): void => {
  limitOption(imports.command("list").description("List imports, newest first, including closed ones"))
    .option("--partner <partner>", "Only imports of this partner")
    .option("--reference <reference>", "Only imports with this reference of the partner, in full")
    .option("--status <code>", "Only imports in this status, such as migration_in_progress")
    .option("--before <import>", "Start after this import id, the last of the previous page")
    .option("--stuck", "Only imports that are stuck: nothing happens though something should")
    .action(async ({ limit, partner, reference, status, before, stuck }: ListOptions) => {
      const { rows, next } = await withOperatorApi(operator, (call) =>
        listPages(
          call,
          "imports",
          { limit, partner, reference, status, after: before, stuck },
          { refusals: noPartner(partner ?? ""), optionOf: sameOption },
        ),
      );
      operator.answer({ imports: rows, next }, () => importListText(rows));
      if (next) operator.remark(`There are more: --before ${next}`);
    });

  imports
    .command("show")
    .description("Show an import with its warnings and what happened to it")
    .argument("<import>", "Import id")
    .option("--show-link", "Include the customer link, which lets its holder act as the customer")
    .action(async (id: string, { showLink }: { showLink?: true }) => {
      const refusals = noImport(id);
      const [json, link] = await withOperatorApi(operator, async (call) => [
        await call<OperatorImportDetail>(pathOf`/imports/${id}`, { refusals }),
        showLink ? (await call<OperatorLink>(pathOf`/imports/${id}/link`, { refusals })).redirect_url : null,
      ]);
      operator.answer({ ...json, ...(link !== null && { redirect_url: link }) }, () =>
        importText(json, link),
      );
    });

  const closing = (name: string, description: string, done: string) =>
    reasonOption(imports.command(name).description(description))
      .argument("<import>", "Import id")
      .action((id: string, { reason }: Reasoned) =>
        withOperatorApi(operator, (call) =>
          control(call, operator, id, { path: `/${name}`, done, body: { reason } }),
        ),
      );
  closing("cancel", "Cancel an import and its run; deletes its credentials, undoes nothing", "is cancelled");
  closing("archive", "Archive an import that has no live run; deletes its credentials", "is archived");

  reasonOption(
    imports
      .command("erase")
      .description("Erase the data of a closed import's customer, and print a signed receipt; payments stay"),
  )
    .argument("[import]", "Import id")
    .option("--destination-username <name>", "Erase all imports of this customer instead")
    .option("--partner <partner>", "Only imports of this partner")
    .action(async (id: string | undefined, options: EraseOptions) => {
      const { destinationUsername: name, reason } = options;
      if ((id === undefined) === (name === undefined))
        throw new CommandError("invalid_arguments", "Name an import, or a customer.", {
          fix: "Run: portage import erase IMPORT, or: portage import erase --destination-username NAME",
          exitCode: 2,
        });
      const receipts = await withOperatorApi(operator, async (call) =>
        name === undefined ? [await erase(call, id ?? "", reason)] : eraseCustomer(call, name, options),
      );
      operator.answer({ receipts }, () =>
        receipts.length === 0
          ? "No import has this name now: nothing was erased."
          : receipts.map(receiptSheet).join("\n\n"),
      );
    });

  reasonOption(
    imports.command("reissue-link").description("Replace the customer link; the old one stops working"),
  )
    .argument("<import>", "Import id")
    .action(async (id: string, { reason }: Reasoned) => {
      const made = await withOperatorApi(operator, (call) =>
        call<OperatorLink>(pathOf`/imports/${id}/link`, {
          method: "POST",
          body: { reason },
          refusals: noImport(id),
        }),
      );
      operator.answer(made, () => made.redirect_url);
    });
};
