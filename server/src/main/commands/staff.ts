import type { Command } from "commander";
import type { ZodType } from "zod";
import {
  accountRoles,
  areas,
  insertStaff,
  invitationUrl,
  invite,
  issueStaffToken,
  findStaff,
  listStaff,
  listStaffTokens,
  newStaffSchema,
  newStaffTokenSchema,
  partnerProblem,
  revokeStaffToken,
  roles,
  setStaffDisabled,
  type StaffMember,
} from "../../features/staff/index.ts";
import { staffJson, staffTokenJson } from "../../http/operator/represent.ts";
import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import { CommandError } from "./command-error.ts";
import { directChange } from "./direct-change.ts";
import { requirePartner } from "./require-partner.ts";
import type { Operator } from "./operator.ts";
import { operatorUrlOf } from "../operator-url.ts";
import { limitOption, pageOf, wholeNumber } from "./paging.ts";
import { dateText, sheet, table } from "./table.ts";

const collect = (value: string, before: readonly string[] = []) => [...before, value];

const checked = <T>(schema: ZodType<T>, given: object): T => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return `--${name === "areas" ? "area" : name} ${message}`;
  });
  throw new CommandError("invalid_settings", lines.join("\n"), { exitCode: 2 });
};

const knownStaff = async (db: Database, id: string): Promise<StaffMember> => {
  const person = await findStaff(db, id);
  if (!person)
    throw new CommandError("unknown_staff", `There is no person ${id}.`, { fix: "Run: portage staff list" });
  return person;
};

interface NewStaffOptions {
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly partner?: string;
  readonly breakGlass?: true;
}

const personSheet = (person: StaffMember) =>
  sheet({
    id: person.id,
    name: person.name,
    email: person.email,
    role: person.role,
    ...(person.partnerId !== null && { partner: person.partnerId }),
    ...(person.breakGlass && { "break glass": true }),
    disabled: person.disabledAt ?? false,
    created: person.createdAt,
  });

const tokenCommands = (token: Command, operator: Operator): void => {
  token
    .command("new")
    .description("Issue a staff token; it is shown only once")
    .argument("<staff>", "Person's id (stf_…)")
    .requiredOption("--label <text>", "Label that tells it from other tokens")
    .option("--role <role>", `At most this role: ${roles.join(", ")} (default: the person's own)`)
    .option("--area <area>", `Only this area, of ${areas.join(", ")} (repeatable; default: all)`, collect)
    .option("--days <days>", "Expires after this many days, 1 to 366", wholeNumber(1, 366), 90)
    .action(
      async (
        id: string,
        options: { label: string; role?: string; area?: readonly string[]; days: number },
      ) => {
        const { label, area = null, days } = options;
        const made = await operator.withDatabase((db) =>
          directChange(db, "issueStaffToken", async (within) => {
            const person = await knownStaff(within, id);
            if (person.role === "partner")
              throw new CommandError("partner_person", "People of partners have no staff tokens.", {
                fix: `Run: portage token new ${person.partnerId ?? "PARTNER"} --label TEXT`,
              });
            const wanted = checked(newStaffTokenSchema, {
              label,
              role: options.role ?? person.role,
              areas: area,
              days,
            });
            const issued = await issueStaffToken(within, id, wanted);
            return {
              result: { ...issued, person },
              target: { kind: "staff", id },
              after: staffTokenJson(issued.record),
            };
          }),
        );
        operator.answer({ ...staffTokenJson(made.record), token: made.token.reveal() }, () =>
          sheet({
            id: made.record.id,
            label: made.record.label,
            role: made.record.role,
            areas: made.record.areas?.join(", ") ?? "all",
            expires: made.record.expiresAt,
            token: made.token.reveal(),
          }),
        );
        operator.remark("Save the token now: Portage does not store it, so it can't be shown again.");
        if (made.person.disabledAt)
          operator.remark(`${id} is disabled. To use it, run: portage staff enable ${id}`);
      },
    );

  token
    .command("list")
    .description("List a person's tokens, oldest first, without their values")
    .argument("<staff>", "Person's id (stf_…)")
    .action(async (id: string) => {
      const tokens = await operator.withDatabase(async (db) => {
        await knownStaff(db, id);
        return listStaffTokens(db, id);
      });
      operator.answer({ tokens: tokens.map(staffTokenJson) }, () =>
        tokens.length === 0
          ? `No tokens yet. Run: portage staff token new ${id} --label TEXT`
          : table(
              ["id", "label", "role", "areas", "ends in", "expires", "revoked"],
              tokens.map((t) => [
                t.id,
                t.label,
                t.role,
                t.areas?.join(", ") ?? "all",
                t.lastCharacters,
                t.expiresAt,
                t.revokedAt ?? false,
              ]),
            ),
      );
    });

  token
    .command("revoke")
    .description("Revoke a staff token; it stops working everywhere within 5 seconds")
    .argument("<token-id>", "Token id (stk_…), not the token itself")
    .action(async (id: string) => {
      const revoked = await operator.withDatabase((db) =>
        directChange(db, "revokeStaffToken", async (within) => {
          const result = await revokeStaffToken(within, id);
          // A live token passed in place of its id must not end up in an error log.
          if (!result)
            throw new CommandError("unknown_token", "There is no staff token with this id.", {
              fix: "To see the ids (stk_…), run: portage staff token list STAFF",
            });
          return { result, target: { kind: "staff_token", id }, after: staffTokenJson(result) };
        }),
      );
      operator.answer(
        staffTokenJson(revoked),
        () => `${id} was revoked at ${dateText(revoked.revokedAt ?? new Date())}.`,
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
      const wanted = checked(newStaffSchema, { ...rest, partner_id: partner, break_glass: breakGlass });
      const problem = partnerProblem(wanted);
      if (problem !== null)
        throw new CommandError("invalid_settings", `--partner ${problem}`, { exitCode: 2 });
      const added = await operator.withDatabase((db) =>
        directChange(db, "addStaff", async (within) => {
          if (partner !== null) await requirePartner(within, partner);
          const result = await insertStaff(within, newId("stf"), wanted);
          if (!result)
            throw new CommandError("email_taken", "Another person has this email address.", {
              fix: "Run: portage staff list",
            });
          return { result, target: { kind: "staff", id: result.id }, after: staffJson(result) };
        }),
      );
      operator.answer(staffJson(added), () => personSheet(added));
      operator.remark(`For the console, invite them: portage staff invite ${added.id}`);
      if (added.role !== "partner")
        operator.remark(`For programs, issue a token: portage staff token new ${added.id} --label TEXT`);
    });

  limitOption(staff.command("list").description("List the staff, oldest first, disabled people included"))
    .option("--after <staff>", "Start after this id, the last of the previous page")
    .action(async ({ limit, after }: { limit: number; after?: string }) => {
      const found = await operator.withDatabase((db) => listStaff(db, { after, limit: limit + 1 }));
      const { page, next } = pageOf(found, limit);
      operator.answer({ staff: page.map(staffJson), next }, () =>
        page.length === 0
          ? "There is no staff yet. Run: portage staff add --name NAME --email ADDRESS --role admin"
          : table(
              ["id", "name", "email", "role", "disabled"],
              page.map((p) => [p.id, p.name, p.email, p.role, p.disabledAt ?? false]),
            ),
      );
      if (next) operator.remark(`There are more: --after ${next}`);
    });

  const disabling = (name: "disable" | "enable", description: string) =>
    staff
      .command(name)
      .description(description)
      .argument("<staff>", "Person's id (stf_…)")
      .action(async (id: string) => {
        const changed = await operator.withDatabase((db) =>
          directChange(db, `${name}Staff`, async (within) => {
            const before = await knownStaff(within, id);
            const result = (await setStaffDisabled(within, id, name === "disable")) ?? before;
            return {
              result,
              target: { kind: "staff", id },
              before: staffJson(before),
              after: staffJson(result),
            };
          }),
        );
        operator.answer(staffJson(changed), () => personSheet(changed));
      });
  disabling("disable", "Disable a person: all their tokens and sessions stop working within 5 seconds");
  disabling("enable", "Enable a person again, with the tokens that have not expired");

  staff
    .command("invite")
    .description("Invite a person to choose a password for the console; the link is shown only once")
    .argument("<staff>", "Person's id (stf_…)")
    .action(async (id: string) => {
      const url = operatorUrlOf(operator.config("OPERATOR_URL", "OPERATOR_PORT"));
      const sealer = operator.sealer();
      const made = await operator.withDatabase((db) =>
        directChange(db, "inviteStaff", async (within) => {
          const person = await knownStaff(within, id);
          if (person.disabledAt)
            throw new CommandError("disabled", `${id} is disabled.`, {
              fix: `Run: portage staff enable ${id}`,
            });
          const result = await invite(within, sealer, id);
          return { result, target: { kind: "staff", id }, after: { expires_at: result.expiresAt } };
        }),
      );
      const shown = { url: invitationUrl(url, made.token), expires_at: made.expiresAt };
      operator.answer(shown, () => sheet({ url: shown.url, expires: made.expiresAt }));
      operator.remark("Send the link now: it works once, and can't be shown again.");
    });

  tokenCommands(staff.command("token").description("Manage staff tokens"), operator);
};
