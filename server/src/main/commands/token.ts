import { filledText } from "@portage/contract";
import type { Command } from "commander";
import { issueToken, listTokens, revokeToken } from "../../features/partners/index.ts";
import { CommandError } from "./command-error.ts";
import { knownPartner } from "./known-partner.ts";
import type { Operator } from "./operator.ts";
import { tokenJson } from "./represent.ts";
import { dateText, sheet, table } from "./table.ts";

const labelSchema = filledText(200);

const unknownToken = (id: string) => {
  const fix = "portage token list PARTNER shows the ids (tok_…).";
  // A live token in place of its id must not end up in a log of errors.
  return id.startsWith("tok_")
    ? new CommandError("unknown_token", `There is no token ${id}.`, { fix })
    : new CommandError("unknown_token", "This is not the id of a token.", { fix });
};

export const tokenCommands = (program: Command, operator: Operator): void => {
  const token = program.command("token").description("what partners sign in with");

  token
    .command("issue")
    .description("make a token; it is shown once, here")
    .argument("<partner>", "whose")
    .requiredOption("--label <text>", "what it is for, to tell it from others")
    .action(async (partnerId: string, { label }: { label: string }) => {
      const checked = labelSchema.safeParse(label);
      if (!checked.success)
        throw new CommandError("invalid_label", `--label ${checked.error.issues[0]?.message}`, {
          exitCode: 2,
        });
      const made = await operator.withDatabase(async (db) => {
        const partner = await knownPartner(db, partnerId);
        return { partner, ...(await issueToken(db, partnerId, checked.data)) };
      });
      operator.answer({ ...tokenJson(made.record), token: made.token.reveal() }, () =>
        sheet({ id: made.record.id, label: made.record.label, token: made.token.reveal() }),
      );
      operator.remark("Keep the token now: it is not stored and can't be shown again.");
      if (made.partner.suspendedAt)
        operator.remark(`${partnerId} is suspended: it works after portage partner resume ${partnerId}`);
    });

  token
    .command("list")
    .description("a partner's tokens, oldest first; never the tokens themselves")
    .argument("<partner>", "whose")
    .action(async (partnerId: string) => {
      const tokens = await operator.withDatabase(async (db) => {
        await knownPartner(db, partnerId);
        return listTokens(db, partnerId);
      });
      operator.answer({ tokens: tokens.map(tokenJson) }, () =>
        tokens.length === 0
          ? `No tokens yet: portage token issue ${partnerId} --label TEXT makes one.`
          : table(
              ["id", "label", "ends in", "created", "revoked"],
              tokens.map((t) => [t.id, t.label, t.lastCharacters, t.createdAt, t.revokedAt ?? false]),
            ),
      );
    });

  token
    .command("revoke")
    .description("end a token; it stops working everywhere within 5 seconds")
    .argument("<token-id>", "its id (tok_…), not the token itself")
    .action(async (id: string) => {
      const revoked = await operator.withDatabase((db) => revokeToken(db, id));
      if (!revoked) throw unknownToken(id);
      operator.answer(
        tokenJson(revoked),
        () => `${id} is revoked since ${dateText(revoked.revokedAt ?? new Date())}.`,
      );
    });
};
