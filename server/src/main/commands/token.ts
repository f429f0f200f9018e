import { filledText } from "@portage/contract";
import type { Command } from "commander";
import { issueToken, listTokens, revokeToken } from "../../features/partners/index.ts";
import { CommandError } from "./command-error.ts";
import { directChange } from "./direct-change.ts";
import { requirePartner } from "./require-partner.ts";
import type { Operator } from "./operator.ts";
import { tokenJson } from "../../http/operator/represent.ts";
import { dateText, sheet, table } from "./table.ts";

const labelSchema = filledText(200);

const unknownToken = (id: string) => {
  const fix = "To see the ids (tok_…), run: portage token list PARTNER";
  // A live token passed in place of its id must not end up in an error log.
  return id.startsWith("tok_")
    ? new CommandError("unknown_token", `There is no token ${id}.`, { fix })
    : new CommandError("unknown_token", "This is not a token id.", { fix });
};

export const tokenCommands = (token: Command, operator: Operator): void => {
  token
    .command("issue")
    .description("Issue a token; it is shown only once")
    .argument("<partner>", "Partner id")
    .requiredOption("--label <text>", "Label that tells it from other tokens")
    .action(async (partnerId: string, { label }: { label: string }) => {
      const checked = labelSchema.safeParse(label);
      if (!checked.success)
        throw new CommandError("invalid_label", `--label ${checked.error.issues[0]?.message}`, {
          exitCode: 2,
        });
      const made = await operator.withDatabase((db) =>
        directChange(db, "issueToken", async (within) => {
          const partner = await requirePartner(within, partnerId);
          const issued = await issueToken(within, partnerId, checked.data);
          return {
            result: { partner, ...issued },
            target: { kind: "partner", id: partnerId },
            after: tokenJson(issued.record),
          };
        }),
      );
      operator.answer({ ...tokenJson(made.record), token: made.token.reveal() }, () =>
        sheet({ id: made.record.id, label: made.record.label, token: made.token.reveal() }),
      );
      operator.remark("Save the token now: Portage does not store it, so it can't be shown again.");
      if (made.partner.suspendedAt)
        operator.remark(`${partnerId} is suspended. To use it, run: portage partner resume ${partnerId}`);
    });

  token
    .command("list")
    .description("List a partner's tokens, oldest first, without their values")
    .argument("<partner>", "Partner id")
    .action(async (partnerId: string) => {
      const tokens = await operator.withDatabase(async (db) => {
        await requirePartner(db, partnerId);
        return listTokens(db, partnerId);
      });
      operator.answer({ tokens: tokens.map(tokenJson) }, () =>
        tokens.length === 0
          ? `No tokens yet. Run: portage token issue ${partnerId} --label TEXT`
          : table(
              ["id", "label", "ends in", "created", "revoked"],
              tokens.map((t) => [t.id, t.label, t.lastCharacters, t.createdAt, t.revokedAt ?? false]),
            ),
      );
    });

  token
    .command("revoke")
    .description("Revoke a token; it stops working everywhere within 5 seconds")
    .argument("<token-id>", "Token id (tok_…), not the token itself")
    .action(async (id: string) => {
      const revoked = await operator.withDatabase((db) =>
        directChange(db, "revokeToken", async (within) => {
          const result = await revokeToken(within, id);
          if (!result) throw unknownToken(id);
          return { result, target: { kind: "token", id }, after: tokenJson(result) };
        }),
      );
      operator.answer(
        tokenJson(revoked),
        () => `${id} was revoked at ${dateText(revoked.revokedAt ?? new Date())}.`,
      );
    });
};
