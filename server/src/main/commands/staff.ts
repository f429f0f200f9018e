import type { OperatorStaff, OperatorStaffToken } from "@portage/contract/operator";
import { accountRoles, staffAreas, staffRoles } from "@portage/contract/operator";
import type { Command } from "commander";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { listPages, pathOf, sameOption } from "./operator-call.ts";
import { limitOption, wholeNumber } from "./paging.ts";
import { dateOf, dateText, sheet, table } from "./table.ts";

const collect = (value: string, before: readonly string[] = []) => [...before, value];

const optionOf = (field: string) => {
  if (field.startsWith("areas")) return "--area";
  return field === "partner_id" ? "--partner" : sameOption(field);
};

const noStaff = (id: string) => ({
  not_found: () =>
    new CommandError("unknown_staff", `There is no person ${id}.`, { fix: "Run: portage staff list" }),
});

const isDisabled = (id: string) => ({
  conflict: (message: string) =>
    new CommandError(
      "disabled",
      message.startsWith("This person is disabled") ? `${id} is disabled.` : message,
      {
        fix: `Run: portage staff enable ${id}`,
      },
    ),
});

interface NewStaffOptions {
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly partner?: string;
  readonly breakGlass?: true;
}

const personSheet = (person: OperatorStaff) =>
  sheet({
    id: person.id,
    name: person.name,
    email: person.email,
    role: person.role,
    ...(person.partner_id !== null && { partner: person.partner_id }),
    ...(person.break_glass && { "break glass": true }),
    disabled: dateOf(person.disabled_at) ?? false,
    created: dateOf(person.created_at),
  });

const tokenCommands = (token: Command, operator: Operator): void => {
  token
    .command("new")
    .description("Issue a staff token; it is shown only once")
    .argument("<staff>", "Person's id (stf_…)")
    .requiredOption("--label <text>", "Label that tells it from other tokens")
    .option("--role <role>", `At most this role: ${staffRoles.join(", ")} (default: the person's own)`)
    .option(
      "--area <area>",
      `Only this area, of ${staffAreas.join(", ")} (repeatable; default: all)`,
      collect,
    )
    .option("--days <days>", "Expires after this many days, 1 to 366", wholeNumber(1, 366), 90)
    .action(
      async (
        id: string,
        options: { label: string; role?: string; area?: readonly string[]; days: number },
      ) => {
        const { label, area = null, days } = options;
        const made = await withOperatorApi(operator, async (call) => {
          const person = await call<OperatorStaff>(pathOf`/staff/${id}`, { refusals: noStaff(id) });
          if (person.role === "partner")
            throw new CommandError("partner_person", "People of partners have no staff tokens.", {
              fix: `Run: portage token issue ${person.partner_id ?? "PARTNER"} --label TEXT`,
            });
          return call<OperatorStaffToken & { readonly token: string }>(pathOf`/staff/${id}/tokens`, {
            method: "POST",
            body: { label, role: options.role ?? person.role, areas: area, days },
            refusals: { ...noStaff(id), ...isDisabled(id) },
            optionOf,
          });
        });
        operator.answer(made, () =>
          sheet({
            id: made.id,
            label: made.label,
            role: made.role,
            areas: made.areas?.join(", ") ?? "all",
            expires: dateOf(made.expires_at),
            token: made.token,
          }),
        );
        operator.remark("Save the token now: Portage does not store it, so it can't be shown again.");
      },
    );

  token
    .command("list")
    .description("List a person's tokens, oldest first, without their values")
    .argument("<staff>", "Person's id (stf_…)")
    .action(async (id: string) => {
      const { tokens } = await withOperatorApi(operator, (call) =>
        call<{ tokens: readonly OperatorStaffToken[] }>(pathOf`/staff/${id}/tokens`, {
          refusals: noStaff(id),
        }),
      );
      operator.answer({ tokens }, () =>
        tokens.length === 0
          ? `No tokens yet. Run: portage staff token new ${id} --label TEXT`
          : table(
              ["id", "label", "role", "areas", "ends in", "expires", "revoked"],
              tokens.map((t) => [
                t.id,
                t.label,
                t.role,
                t.areas?.join(", ") ?? "all",
                t.last_characters,
                dateOf(t.expires_at),
                dateOf(t.revoked_at) ?? false,
              ]),
            ),
      );
    });

  token
    .command("revoke")
    .description("Revoke a staff token; it stops working everywhere within 5 seconds")
    .argument("<token-id>", "Token id (stk_…), not the token itself")
    .action(async (id: string) => {
      const unknown = () =>
        new CommandError("unknown_token", "There is no staff token with this id.", {
          fix: "To see the ids (stk_…), run: portage staff token list STAFF",
        });
      // A live token passed in place of its id must not end up in an error, an address or a log.
      if (!id.startsWith("stk_")) throw unknown();
      const revoked = await withOperatorApi(operator, (call) =>
        call<OperatorStaffToken>(pathOf`/staff-tokens/${id}/revoke`, {
          method: "POST",
          refusals: { not_found: unknown },
        }),
      );
      operator.answer(
        revoked,
        () => `${id} was revoked at ${dateText(dateOf(revoked.revoked_at) ?? new Date())}.`,
      );
    });
};

export const staffCommands = (staff: Command, operator: Operator): void => {
  staff
    .command("add")
    .description("Add a person")
    .requiredOption("--name <text>", "Name")
    .requiredOption("--email <address>", "Email address, unique among the staff")
    .requiredOption("--role <role>", `What they may do: ${accountRoles.join(", ")}`)
    .option("--partner <partner>", "With the role partner: the only partner that they see (prt_…)")
    .option("--break-glass", "For emergencies: each sign-in is breakGlassSignIn in the audit log")
    .action(async (options: NewStaffOptions) => {
      const { partner = null, breakGlass = false, ...rest } = options;
      const added = await withOperatorApi(operator, (call) =>
        call<OperatorStaff>("/staff", {
          method: "POST",
          body: { ...rest, partner_id: partner, break_glass: breakGlass },
          refusals: {
            conflict: () =>
              new CommandError("email_taken", "Another person has this email address.", {
                fix: "Run: portage staff list",
              }),
          },
          optionOf,
        }),
      );
      operator.answer(added, () => personSheet(added));
      operator.remark(`For the console, invite them: portage staff invite ${added.id}`);
      if (added.role !== "partner")
        operator.remark(`For programs, issue a token: portage staff token new ${added.id} --label TEXT`);
    });

  limitOption(staff.command("list").description("List the staff, oldest first, disabled people included"))
    .option("--after <staff>", "Start after this id, the last of the previous page")
    .action(async (asked: { limit: number; after?: string }) => {
      const { rows, next } = await withOperatorApi(operator, (call) => listPages(call, "staff", asked));
      operator.answer({ staff: rows, next }, () =>
        rows.length === 0
          ? "There is no staff yet. Run: portage staff add --name NAME --email ADDRESS --role admin"
          : table(
              ["id", "name", "email", "role", "disabled"],
              rows.map((p) => [p.id, p.name, p.email, p.role, dateOf(p.disabled_at) ?? false]),
            ),
      );
      if (next) operator.remark(`There are more: --after ${next}`);
    });

  staff
    .command("role")
    .description("Change a person's role; within 5 seconds their tokens allow no more than it")
    .argument("<staff>", "Person's id (stf_…)")
    .argument("<role>", `What they may do: ${staffRoles.join(", ")}`)
    .action(async (id: string, role: string) => {
      const changed = await withOperatorApi(operator, (call) =>
        call<OperatorStaff>(pathOf`/staff/${id}/role`, {
          method: "PUT",
          body: { role },
          refusals: noStaff(id),
          optionOf: () => "The role",
        }),
      );
      operator.answer(changed, () => personSheet(changed));
    });

  const disabling = (name: "disable" | "enable", description: string) =>
    staff
      .command(name)
      .description(description)
      .argument("<staff>", "Person's id (stf_…)")
      .action(async (id: string) => {
        const changed = await withOperatorApi(operator, (call) =>
          call<OperatorStaff>(`${pathOf`/staff/${id}`}/${name}`, { method: "POST", refusals: noStaff(id) }),
        );
        operator.answer(changed, () => personSheet(changed));
      });
  disabling("disable", "Disable a person: all their tokens and sessions stop working within 5 seconds");
  disabling("enable", "Enable a person again, with the tokens that have not expired");

  staff
    .command("invite")
    .description("Invite a person to choose a password for the console; the link is shown only once")
    .argument("<staff>", "Person's id (stf_…)")
    .action(async (id: string) => {
      const made = await withOperatorApi(operator, (call) =>
        call<{ url: string; expires_at: string }>(pathOf`/staff/${id}/invitation`, {
          method: "POST",
          refusals: { ...noStaff(id), ...isDisabled(id) },
        }),
      );
      operator.answer(made, () => sheet({ url: made.url, expires: dateOf(made.expires_at) }));
      operator.remark("Send the link now: it works once, and can't be shown again.");
    });

  tokenCommands(staff.command("token").description("Manage staff tokens"), operator);
};
