import type { OperatorToken } from "@portage/contract/operator";
import type { Command } from "commander";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { pathOf, sameOption } from "./operator-call.ts";
import { noPartner } from "./no-partner.ts";
import { dateOf, dateText, sheet, table } from "./table.ts";

const unknownToken = (id: string) => {
  const fix = "To see the ids (tok_…), run: portage token list PARTNER";
  return new CommandError("unknown_token", `There is no token ${id}.`, { fix });
};

export const tokenCommands = (token: Command, operator: Operator): void => {
  token
    .command("issue")
    .description("Issue a token; it is shown only once")
    .argument("<partner>", "Partner id")
    .requiredOption("--label <text>", "Label that tells it from other tokens")
    .action(async (partnerId: string, { label }: { label: string }) =>
      withOperatorApi(operator, async (call) => {
        const made = await call<OperatorToken & { readonly token: string }>(
          pathOf`/partners/${partnerId}/tokens`,
          { method: "POST", body: { label }, refusals: noPartner(partnerId), optionOf: sameOption },
        );
        operator.answer(made, () => sheet({ id: made.id, label: made.label, token: made.token }));
        operator.remark("Save the token now: Portage does not store it, so it can't be shown again.");
        const { suspended_at: suspended } = await call<{ suspended_at: string | null }>(
          pathOf`/partners/${partnerId}`,
        );
        if (suspended !== null)
          operator.remark(`${partnerId} is suspended. To use it, run: portage partner resume ${partnerId}`);
      }),
    );

  token
    .command("list")
    .description("List a partner's tokens, oldest first, without their values")
    .argument("<partner>", "Partner id")
    .action(async (partnerId: string) => {
      const { tokens } = await withOperatorApi(operator, (call) =>
        call<{ tokens: readonly OperatorToken[] }>(pathOf`/partners/${partnerId}/tokens`, {
          refusals: noPartner(partnerId),
        }),
      );
      operator.answer({ tokens }, () =>
        tokens.length === 0
          ? `No tokens yet. Run: portage token issue ${partnerId} --label TEXT`
          : table(
              ["id", "label", "ends in", "created", "revoked"],
              tokens.map((t) => [
                t.id,
                t.label,
                t.last_characters,
                dateOf(t.created_at),
                dateOf(t.revoked_at) ?? false,
              ]),
            ),
      );
    });

  token
    .command("revoke")
    .description("Revoke a token; it stops working everywhere within 5 seconds")
    .argument("<token-id>", "Token id (tok_…), not the token itself")
    .action(async (id: string) => {
      // A live token passed in place of its id must not end up in an error, an address or a log.
      if (!id.startsWith("tok_"))
        throw new CommandError("unknown_token", "This is not a token id.", {
          fix: "To see the ids (tok_…), run: portage token list PARTNER",
        });
      const revoked = await withOperatorApi(operator, (call) =>
        call<OperatorToken>(pathOf`/tokens/${id}/revoke`, {
          method: "POST",
          refusals: { not_found: () => unknownToken(id) },
        }),
      );
      operator.answer(
        revoked,
        () => `${id} was revoked at ${dateText(dateOf(revoked.revoked_at) ?? new Date())}.`,
      );
    });
};
