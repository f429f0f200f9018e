import type { Command } from "commander";
import {
  hasLogo,
  insertPartner,
  listPartners,
  type Partner,
  saveLogo,
  setSuspended,
  updatePartner,
} from "../../features/partners/index.ts";
import type { Database } from "../../platform/db.ts";
import { findTarget, targetWarning } from "../../features/webhooks/index.ts";
import { newId } from "../../platform/ids.ts";
import { CommandError } from "./command-error.ts";
import { directChange } from "./direct-change.ts";
import { requirePartner, unknownPartner } from "./require-partner.ts";
import type { Operator } from "./operator.ts";
import { limitOption, pageOf } from "./paging.ts";
import { colorRemark, logoFrom } from "./partner-look.ts";
import { type PartnerOptions, partnerOptions, settingsFrom } from "./partner-options.ts";
import { partnerJson } from "../../http/operator/represent.ts";
import { sheet, table } from "./table.ts";

type Shown = Partner & { readonly logo: boolean };

const partnerSheet = ({ branding, allowedSourceTools, ...partner }: Shown, warning: string | null = null) =>
  sheet({
    id: partner.id,
    name: partner.name,
    "destination tool": partner.destinationTool,
    "default family": partner.defaultFamily,
    "who pays": partner.payer,
    "full request page": partner.fullRequestUrl,
    "source tools": allowedSourceTools === null ? "all that fit" : allowedSourceTools.join(", ") || "none",
    "archive after": `${partner.archiveAfterDays} idle days`,
    "changes included": `${partner.includedDays} days after a full migration`,
    "old links": `lead to the new records for ${partner.oldLinksDays} days`,
    contact: partner.contactEmail,
    color: branding.color,
    logo: partner.logo,
    "help page": branding.helpUrl,
    "help email": branding.helpEmail,
    "privacy page": branding.privacyUrl,
    "return page": branding.returnUrl,
    "embed origins": branding.embedOrigins?.join(", "),
    suspended: partner.suspendedAt ?? false,
    created: partner.createdAt,
    ...(warning !== null && { "webhook warning": warning }),
  });

/** For the audit log. */
const aboutPartner = (before: Partner | null, result: Shown) => ({
  result,
  target: { kind: "partner", id: result.id } as const,
  before: before && partnerJson(before),
  after: partnerJson(result),
});

export const partnerCommands = (partner: Command, operator: Operator): void => {
  const show = (found: Shown) =>
    operator.answer({ ...partnerJson(found), has_logo: found.logo }, () => partnerSheet(found));
  const withLogo = async (db: Database, found: Partner): Promise<Shown> => ({
    ...found,
    logo: await hasLogo(db, found.id),
  });
  const remarkOnColor = (options: PartnerOptions) => {
    const remark = colorRemark(options.color || undefined);
    if (remark) operator.remark(remark);
  };

  partnerOptions(
    partner
      .command("create")
      .description("Create a partner")
      .requiredOption("--name <name>", "Name that customers see")
      .requiredOption("--destination-tool <tool>", "Tool that its customers move to"),
  ).action(async (options: PartnerOptions) => {
    const settings = settingsFrom(await operator.tools(), options, null);
    const logo = await logoFrom(options.logo);
    const made = await operator.withDatabase((db) =>
      directChange(db, "createPartner", async (within) => {
        const inserted = await insertPartner(within, newId("prt"), settings);
        if (logo) await saveLogo(within, inserted.id, logo);
        return aboutPartner(null, await withLogo(within, inserted));
      }),
    );
    show(made);
    remarkOnColor(options);
    operator.remark(`Next, issue an API token: portage token issue ${made.id} --label production`);
  });

  limitOption(partner.command("list").description("List all partners, oldest first"))
    .option("--after <partner>", "Start after this partner id, the last of the previous page")
    .action(async ({ limit, after }: { limit: number; after?: string }) => {
      const found = await operator.withDatabase((db) => listPartners(db, { after, limit: limit + 1 }));
      const { page, next } = pageOf(found, limit);
      operator.answer({ partners: page.map(partnerJson), next }, () =>
        page.length === 0
          ? "No partners yet. Run: portage partner create"
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
    .description("Show a partner with all its settings")
    .argument("<partner>", "Partner id")
    .action(async (id: string) => {
      const { found, target } = await operator.withDatabase(async (db) => ({
        found: await withLogo(db, await requirePartner(db, id)),
        target: await findTarget(db, id),
      }));
      const warning = target ? targetWarning(target) : null;
      operator.answer({ ...partnerJson(found), has_logo: found.logo, webhook_warning: warning }, () =>
        partnerSheet(found, warning),
      );
    });

  partnerOptions(
    partner
      .command("update")
      .description("Update settings; omitted options keep their settings")
      .argument("<partner>", "Partner id")
      .option("--name <name>", "Name that customers see")
      .option("--destination-tool <tool>", "Tool that its customers move to, for new imports"),
  ).action(async (id: string, options: PartnerOptions) => {
    if (Object.keys(options).length === 0)
      throw new CommandError("nothing_to_change", "There is nothing to change.", {
        fix: "Pass at least one setting. To list them, run: portage partner update --help",
        exitCode: 2,
      });
    const logo = await logoFrom(options.logo);
    const registry = await operator.tools();
    const changed = await operator.withDatabase((db) =>
      directChange(db, "updatePartner", async (within) => {
        const before = await requirePartner(within, id);
        const updated = await updatePartner(within, id, settingsFrom(registry, options, before));
        if (!updated) throw unknownPartner(id);
        if (logo !== undefined) await saveLogo(within, id, logo);
        return aboutPartner(before, await withLogo(within, updated));
      }),
    );
    show(changed);
    remarkOnColor(options);
  });

  const suspending = (name: string, description: string, suspended: boolean) =>
    partner
      .command(name)
      .description(description)
      .argument("<partner>", "Partner id")
      .action(async (id: string) => {
        const changed = await operator.withDatabase((db) =>
          directChange(db, suspended ? "suspendPartner" : "resumePartner", async (within) => {
            const before = await requirePartner(within, id);
            const updated = (await setSuspended(within, id, suspended)) ?? before;
            return aboutPartner(before, await withLogo(within, updated));
          }),
        );
        show(changed);
      });
  suspending("suspend", "Reject a partner's API calls; its imports stay", true);
  suspending("resume", "Accept a partner's API calls again", false);
};
