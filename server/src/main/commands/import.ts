import type { Command } from "commander";
import {
  type AuditRow,
  findAnyImport,
  listImports,
  listAudit,
  listWarnings,
  moveImport,
  redirectUrl,
  reissueLink,
  usernameKey,
} from "../../features/imports/index.ts";
import { eraseImport, listImportsOf, makeReceipt } from "../../features/erasure/index.ts";
import { findLatestRun } from "../../features/runs/index.ts";
import type { Database } from "../../platform/db.ts";
import { pageOf } from "../../platform/page-of.ts";
import { createSigner } from "../../platform/sign.ts";
import { CommandError } from "./command-error.ts";
import { directChange, noteDirectChange } from "./direct-change.ts";
import { requirePartner } from "./require-partner.ts";
import type { Operator } from "./operator.ts";
import { limitOption } from "./paging.ts";
import { auditedState, importJson } from "../../http/operator/represent.ts";
import { importSheet, importTable } from "./import-shown.ts";
import { importClient, reasonOption, remoteCommands } from "./import-remote.ts";
import { findStuck } from "../../features/operations/index.ts";
import { type Cell, sheet, table } from "./table.ts";

const unknownImport = (id: string) =>
  new CommandError("unknown_import", `There is no import ${id}.`, {
    fix: "Run: portage import list (--partner filters by partner)",
  });

const auditTable = (rows: readonly AuditRow[]) =>
  table(
    ["no.", "at", "event", "by", "from", "to"],
    rows.map(({ seq, at, event, actor, fromStatus, toStatus }): Cell[] => [
      seq,
      at,
      event.type,
      actor,
      fromStatus,
      fromStatus === toStatus ? "(same)" : toStatus,
    ]),
  );

/** Closes an import. Repeating it is not an error, so that scripts can run again. */
const close = (db: Database, operator: Operator, id: string, as: "cancelled" | "archived") =>
  directChange(db, as === "cancelled" ? "cancelImport" : "archiveImport", async (within) => {
    const sealer = operator.sealer();
    const before = await findAnyImport(within, sealer, id);
    const moved = await moveImport(
      within,
      { type: as },
      { importId: id, partnerId: null, actor: { kind: "operator" } },
    );
    const found = await findAnyImport(within, sealer, id);
    if (moved.kind === "missing" || !before || !found) throw unknownImport(id);
    if (moved.kind === "moved" || found.state.closed === as)
      return {
        result: { found, changed: moved.kind === "moved" },
        target: { kind: "import", id },
        before: auditedState(before),
        after: auditedState(found),
      };
    throw found.state.closed
      ? new CommandError("already_closed", `${id} is already ${found.state.closed}.`)
      : new CommandError("live_run", `${id} has a live run (${found.state.liveRun}).`, {
          fix: "Wait until the run ends, or cancel the import and its run: portage import cancel",
        });
  });

const erase = async (db: Database, id: string) => {
  const erased = await eraseImport(db, id);
  // Afterwards: an erasure goes on batch by batch where it was cut off, and has a row of its own.
  if (erased.kind === "erased")
    await noteDirectChange(db, "eraseImport", {
      target: { kind: "import", id },
      after: { erased: erased.erasure.erased },
    });
  switch (erased.kind) {
    case "erased":
      return erased.erasure;
    case "missing":
      throw unknownImport(id);
    case "open":
      throw new CommandError("open", `${id} is open: its customer may still use it.`, {
        fix: `Run: portage import cancel ${id}`,
      });
    case "live_run":
      throw new CommandError("live_run", `The run of ${id} has not ended.`, {
        fix: `Cancel the import and wait until the run has stopped: portage import show ${id}`,
      });
  }
};

/** The imports of a customer; throws before any of them is erased if one is not closed. */
const allAtRest = async (db: Database, name: string, partner: string | null) => {
  const found = await listImportsOf(db, usernameKey(name), partner);
  const busy = found.filter(({ isAtRest }) => !isAtRest).map(({ id }) => id);
  if (busy.length > 0)
    throw new CommandError("open", `${busy.join(", ")}: open, or with a run that has not ended.`, {
      fix: "Cancel each of them with portage import cancel, and wait until its run has stopped.",
    });
  return found.map(({ id }) => id);
};

const receiptSheet = ({ receipt, jws }: Receipt) =>
  [
    sheet({
      import: receipt.import,
      partner: receipt.partner,
      erased: receipt.erased_at,
      "data key": receipt.data_key,
      "cleared of the import": receipt.cleared.join(", "),
    }),
    table(["table", "rows deleted"], Object.entries(receipt.erased)),
    table(
      ["kept", "why", "until"],
      receipt.kept.map(({ what, why, until }) => [what, why, until]),
    ),
    `signed receipt: ${jws}`,
  ].join("\n\n");

interface EraseOptions {
  readonly destinationUsername?: string;
  readonly partner?: string;
  readonly reason?: string;
}

type Receipt = Pick<ReturnType<typeof makeReceipt>, "receipt" | "jws">;

const showReceipts = (operator: Operator, receipts: readonly Receipt[]): void =>
  operator.answer({ receipts: receipts.map(({ receipt, jws }) => ({ receipt, jws })) }, () =>
    receipts.length === 0
      ? "No import has this name now: nothing was erased."
      : receipts.map(receiptSheet).join("\n\n"),
  );

export const importCommands = (imports: Command, operator: Operator): void => {
  limitOption(imports.command("list").description("List imports, newest first, including closed ones"))
    .option("--partner <partner>", "Only imports of this partner")
    .option("--before <import>", "Start after this import id, the last of the previous page")
    .option("--stuck", "Only imports that are stuck: nothing happens though something should")
    .action(async (options: { limit: number; partner?: string; before?: string; stuck?: true }) => {
      const { limit, partner = null, before = null, stuck } = options;
      const client = await importClient(operator);
      if (client) return client.list({ limit, partner, before, stuck });
      const sealer = operator.sealer();
      const found = await operator.withDatabase(async (db) => {
        if (partner !== null) await requirePartner(db, partner);
        const among = stuck && { ids: [...(await findStuck(db)).keys()] };
        const filter = { partnerId: partner ?? undefined, ...among };
        return listImports(db, sealer, filter, { before, limit: limit + 1 });
      });
      const { rows, next } = pageOf(found, limit, ({ id }) => id);
      const shown = rows.map(importJson);
      operator.answer({ imports: shown, next }, () => importTable(shown));
      if (next) operator.remark(`There are more: --before ${next}`);
    });

  imports
    .command("show")
    .description("Show an import with its warnings and audit log")
    .argument("<import>", "Import id")
    .option("--show-link", "Include the customer link, which lets its holder act as the customer")
    .action(async (id: string, { showLink }: { showLink?: true }) => {
      const client = await importClient(operator);
      if (client) return client.show(id, showLink === true);
      const sealer = operator.sealer();
      const { found, warnings, audit, run } = await operator.withDatabase(async (db) => {
        const there = await findAnyImport(db, sealer, id);
        if (!there) throw unknownImport(id);
        return {
          found: there,
          warnings: await listWarnings(db, id),
          audit: await listAudit(db, id),
          run: await findLatestRun(db, id),
        };
      });
      const link = showLink
        ? redirectUrl(operator.config("PUBLIC_URL").PUBLIC_URL, id, found.linkToken)
        : null;
      const json = {
        ...importJson(found),
        warnings,
        last_run: run,
        audit: audit.map(({ seq, at, event, actor, fromStatus, toStatus }) => ({
          seq,
          at,
          event,
          actor,
          from_status: fromStatus,
          to_status: toStatus,
        })),
        ...(link !== null && { redirect_url: link }),
      };
      operator.answer(json, () =>
        [
          importSheet(importJson(found), link),
          ...warnings.map(({ code, message }) => `\nWarning ${code}: ${message}`),
          ...(run?.failure
            ? [`\nThe last run (${run.kind}) failed: ${run.failure.code}. ${run.failure.message}`]
            : []),
          `\n${auditTable(audit)}`,
        ].join("\n"),
      );
    });

  const closing = (name: string, description: string, as: "cancelled" | "archived") =>
    reasonOption(imports.command(name).description(description))
      .argument("<import>", "Import id")
      .action(async (id: string, { reason }: { reason?: string }) => {
        const client = await importClient(operator, reason);
        if (client) return client.close(id, as);
        const { found, changed } = await operator.withDatabase((db) => close(db, operator, id, as));
        operator.answer({ ...importJson(found), changed }, () =>
          changed ? `${id} is ${as}.` : `${id} was already ${as}; nothing changed.`,
        );
      });
  closing("cancel", "Cancel an import and its run; deletes its credentials, undoes nothing", "cancelled");
  closing("archive", "Archive an import that has no live run; deletes its credentials", "archived");

  reasonOption(
    imports
      .command("erase")
      .description("Erase the data of a closed import's customer, and print a signed receipt; payments stay"),
  )
    .argument("[import]", "Import id")
    .option("--destination-username <name>", "Erase all imports of this customer instead")
    .option("--partner <partner>", "Only imports of this partner")
    .action(async (id: string | undefined, options: EraseOptions) => {
      const { destinationUsername: name, partner = null, reason } = options;
      if ((id === undefined) === (name === undefined))
        throw new CommandError("invalid_arguments", "Name an import, or a customer.", {
          fix: "Run: portage import erase IMPORT, or: portage import erase --destination-username NAME",
          exitCode: 2,
        });
      const client = await importClient(operator, reason);
      if (client)
        return showReceipts(
          operator,
          name === undefined
            ? [await client.erase<Receipt>(id ?? "")]
            : await client.eraseCustomer<Receipt>(name, partner),
        );
      const signer = createSigner(operator.config("PORTAGE_KEYS").PORTAGE_KEYS);
      const receipts = await operator.withDatabase(async (db) => {
        if (partner !== null) await requirePartner(db, partner);
        const ids = name === undefined ? [id ?? ""] : await allAtRest(db, name, partner);
        operator.remark(`Erasing ${ids.join(", ") || "nothing"}`);
        const erased: ReturnType<typeof makeReceipt>[] = [];
        for (const each of ids) erased.push(makeReceipt(await erase(db, each), signer));
        return erased;
      });
      showReceipts(operator, receipts);
    });

  reasonOption(
    imports.command("reissue-link").description("Replace the customer link; the old one stops working"),
  )
    .argument("<import>", "Import id")
    .action(async (id: string, { reason }: { reason?: string }) => {
      const client = await importClient(operator, reason);
      if (client) return client.reissueLink(id);
      const { PUBLIC_URL } = operator.config("PUBLIC_URL", "PORTAGE_KEYS");
      const sealer = operator.sealer();
      const token = await operator.withDatabase((db) =>
        directChange(db, "reissueLink", async (within) => {
          const before = await findAnyImport(within, sealer, id);
          const made = await reissueLink(within, sealer, id);
          const after = await findAnyImport(within, sealer, id);
          if (made && before && after)
            return {
              result: made,
              target: { kind: "import", id },
              before: { link_mark: before.linkMark },
              after: { link_mark: after.linkMark },
            };
          throw after?.state.closed
            ? new CommandError("already_closed", `${id} is ${after.state.closed}: it has no link any more.`)
            : unknownImport(id);
        }),
      );
      const link = redirectUrl(PUBLIC_URL, id, token);
      operator.answer({ id, redirect_url: link }, () => link);
    });

  remoteCommands(imports, operator);
};
