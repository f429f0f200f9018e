import type { Command } from "commander";
import {
  insertPartner,
  listPartners,
  type Partner,
  setSuspended,
  updatePartner,
} from "../../features/partners/index.ts";
import { newId } from "../../platform/ids.ts";
import { CommandError } from "./command-error.ts";
import { knownPartner, unknownPartner } from "./known-partner.ts";
import type { Operator } from "./operator.ts";
import { limitOption, pageOf } from "./paging.ts";
import { type PartnerOptions, partnerOptions, settingsFrom } from "./partner-options.ts";
import { partnerJson } from "./represent.ts";
import { sheet, table } from "./table.ts";

const partnerSheet = ({ branding, allowedSourceTools, ...partner }: Partner) =>
  sheet({
    id: partner.id,
    name: partner.name,
    "destination tool": partner.destinationTool,
    "default family": partner.defaultFamily,
    "who pays": partner.payer,
    "full request page": partner.fullRequestUrl,
    "source tools": allowedSourceTools === null ? "all that fit" : allowedSourceTools.join(", ") || "none",
    "archive after": `${partner.archiveAfterDays} idle days`,
    color: branding.color,
    logo: branding.logoUrl,
    "help page": branding.helpUrl,
    "privacy page": branding.privacyUrl,
    "return page": branding.returnUrl,
    suspended: partner.suspendedAt ?? false,
    created: partner.createdAt,
  });

export const partnerCommands = (program: Command, operator: Operator): void => {
  const partner = program.command("partner").description("the applications that use the API");
  const show = (found: Partner) => operator.answer(partnerJson(found), () => partnerSheet(found));

  partnerOptions(
    partner
      .command("create")
      .description("add a partner")
      .requiredOption("--name <name>", "its name, as customers know it")
      .requiredOption("--destination-tool <tool>", "the tool that its customers move to"),
  ).action(async (options: PartnerOptions) => {
    const settings = settingsFrom(await operator.tools(), options, null);
    const made = await operator.withDatabase((db) => insertPartner(db, newId("prt"), settings));
    show(made);
    operator.remark(`Next, a token for its API calls: portage token issue ${made.id} --label production`);
  });

  limitOption(partner.command("list").description("all partners, oldest first"))
    .option("--after <partner>", "start after this id, the last of the page before")
    .action(async ({ limit, after }: { limit: number; after?: string }) => {
      const found = await operator.withDatabase((db) => listPartners(db, { after, limit: limit + 1 }));
      const { page, next } = pageOf(found, limit);
      operator.answer({ partners: page.map(partnerJson), next }, () =>
        page.length === 0
          ? "No partners yet: portage partner create adds one."
          : table(
              ["id", "name", "destination", "who pays", "suspended", "created"],
              page.map((p) => [
                p.id,
                p.name,
                p.destinationTool,
                p.payer,
                p.suspendedAt ?? false,
                p.createdAt,
              ]),
            ),
      );
      if (next) operator.remark(`There are more: --after ${next}`);
    });

  partner
    .command("show")
    .description("one partner with all its settings")
    .argument("<partner>", "its id")
    .action(async (id: string) => show(await operator.withDatabase((db) => knownPartner(db, id))));

  partnerOptions(
    partner
      .command("update")
      .description("change settings; what is not named stays as it is")
      .argument("<partner>", "its id")
      .option("--name <name>", "its name, as customers know it")
      .option("--destination-tool <tool>", "the tool that its customers move to, from the next import on"),
  ).action(async (id: string, options: PartnerOptions) => {
    if (Object.keys(options).length === 0)
      throw new CommandError("nothing_to_change", "There is nothing to change.", {
        fix: "portage partner update --help names the settings.",
        exitCode: 2,
      });
    const changed = await operator.withDatabase(async (db) => {
      const settings = settingsFrom(await operator.tools(), options, await knownPartner(db, id));
      return updatePartner(db, id, settings);
    });
    if (!changed) throw unknownPartner(id);
    show(changed);
  });

  const suspending = (name: string, description: string, suspended: boolean) =>
    partner
      .command(name)
      .description(description)
      .argument("<partner>", "its id")
      .action(async (id: string) => {
        const changed = await operator.withDatabase((db) => setSuspended(db, id, suspended));
        if (!changed) throw unknownPartner(id);
        show(changed);
      });
  suspending("suspend", "refuse its API calls from now on; its imports stay", true);
  suspending("resume", "take its API calls again", false);
};
