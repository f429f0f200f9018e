import type { OperatorShownPartner } from "@portage/contract/operator";
import type { Command } from "commander";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { listPages, pathOf } from "./operator-call.ts";
import { limitOption } from "./paging.ts";
import { colorRemark, logoFrom } from "./partner-look.ts";
import { type PartnerOptions, partnerOptionOf, partnerOptions, settingsFrom } from "./partner-options.ts";
import { noPartner } from "./no-partner.ts";
import { dateOf, sheet, table } from "./table.ts";

const partnerSheet = (partner: OperatorShownPartner) =>
  sheet({
    id: partner.id,
    name: partner.name,
    "destination tool": partner.destination_tool,
    "default family": partner.default_family,
    "who pays": partner.payer,
    "full request page": partner.full_request_url,
    "source tools":
      partner.allowed_source_tools === null
        ? "all that fit"
        : partner.allowed_source_tools.join(", ") || "none",
    "archive after": `${partner.archive_after_days} idle days`,
    "changes included": `${partner.included_days} days after a full migration`,
    "old links": `lead to the new records for ${partner.old_links_days} days`,
    contact: partner.contact_email,
    color: partner.branding.color,
    logo: partner.has_logo,
    "help page": partner.branding.help_url,
    "help email": partner.branding.help_email,
    "privacy page": partner.branding.privacy_url,
    "return page": partner.branding.return_url,
    "embed origins": partner.branding.embed_origins.join(", "),
    suspended: dateOf(partner.suspended_at) ?? false,
    created: dateOf(partner.created_at),
    ...(partner.webhook_warning !== null && { "webhook warning": partner.webhook_warning }),
  });

export const partnerCommands = (partner: Command, operator: Operator): void => {
  const show = (found: OperatorShownPartner) => operator.answer(found, () => partnerSheet(found));
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
    const logo = await logoFrom(options.logo);
    const body = { ...settingsFrom(options), logo };
    const made = await withOperatorApi(operator, (call) =>
      call<OperatorShownPartner>("/partners", { method: "POST", body, optionOf: partnerOptionOf }),
    );
    show(made);
    remarkOnColor(options);
    operator.remark(`Next, issue an API token: portage token issue ${made.id} --label production`);
  });

  limitOption(partner.command("list").description("List all partners, oldest first"))
    .option("--after <partner>", "Start after this partner id, the last of the previous page")
    .action(async (asked: { limit: number; after?: string }) => {
      const { rows, next } = await withOperatorApi(operator, (call) => listPages(call, "partners", asked));
      operator.answer({ partners: rows, next }, () =>
        rows.length === 0
          ? "No partners yet. Run: portage partner create"
          : table(
              ["id", "name", "destination", "who pays", "suspended", "created"],
              rows.map((p) => [
                p.id,
                p.name,
                p.destination_tool,
                p.payer,
                dateOf(p.suspended_at) ?? false,
                dateOf(p.created_at),
              ]),
            ),
      );
      if (next) operator.remark(`There are more: --after ${next}`);
    });

  partner
    .command("show")
    .description("Show a partner with all its settings")
    .argument("<partner>", "Partner id")
    .action(async (id: string) =>
      show(
        await withOperatorApi(operator, (call) =>
          call<OperatorShownPartner>(pathOf`/partners/${id}`, { refusals: noPartner(id) }),
        ),
      ),
    );

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
    show(
      await withOperatorApi(operator, (call) =>
        call<OperatorShownPartner>(pathOf`/partners/${id}`, {
          method: "PUT",
          body: { ...settingsFrom(options), logo },
          refusals: noPartner(id),
          optionOf: partnerOptionOf,
        }),
      ),
    );
    remarkOnColor(options);
  });

  const suspending = (name: "suspend" | "resume", description: string) =>
    partner
      .command(name)
      .description(description)
      .argument("<partner>", "Partner id")
      .action(async (id: string) =>
        show(
          await withOperatorApi(operator, (call) =>
            call<OperatorShownPartner>(`${pathOf`/partners/${id}`}/${name}`, {
              method: "POST",
              refusals: noPartner(id),
            }),
          ),
        ),
      );
  suspending("suspend", "Reject a partner's API calls; its imports stay");
  suspending("resume", "Accept a partner's API calls again");
};
