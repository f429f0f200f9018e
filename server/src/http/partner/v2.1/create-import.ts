import { createdImport, newImport, newImportErrorKeys, newImportErrors } from "@portage/contract";
import { z } from "zod";
import type { Once } from "../../../features/idempotency/index.ts";
import { type Created, type createImport, newImportRefused } from "../../../features/imports/index.ts";
import { type Answer, invalid, Problem } from "../../answer.ts";
import { idempotencyKey } from "../idempotency-key.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { toCreated } from "../represent.ts";

export const createImportOperation: Operation = {
  id: "createImport",
  method: "POST",
  path: "/imports",
  summary: "Create an import",
  description:
    "Creates an import and answers with the address to which you send the customer. When everything that the " +
    "destination needs is given, it is called first: what it refuses is a 422 with `destination`.",
  headers: [
    {
      name: "Idempotency-Key",
      description:
        "Any text of at most 255 characters. For 24 hours the same key and body give the first answer again.",
      schema: z.string().max(255),
    },
  ],
  body: newImport,
  errorKeys: newImportErrorKeys,
  answers: {
    201: { description: "Created.", schema: createdImport },
    409: { description: "A request with this idempotency key is still under way." },
    422: { description: "The request breaks a rule.", schema: newImportErrors },
  },
};

interface Needs {
  readonly createImport: ReturnType<typeof createImport>;
  readonly once: Once;
  readonly publicUrl: string;
}

export const createImportRoute = ({ createImport: create, once, publicUrl }: Needs): PartnerRoute => {
  const answer = (created: Created): Answer =>
    created.kind === "created"
      ? { status: 201, body: toCreated(publicUrl, created) }
      : invalid(created.errors);
  return {
    operation: createImportOperation,
    handle: async ({ partner, body, bodyText, header }) => {
      const key = idempotencyKey(header("idempotency-key"));
      if (key === undefined) return answer(await create(partner, body));
      const outcome = await once({ partnerId: partner.id, key, request: bodyText }, (keep) =>
        create(partner, body, (tx, made) => keep(tx, JSON.stringify(toCreated(publicUrl, made)))),
      );
      switch (outcome.kind) {
        case "done":
          return answer(outcome.value);
        case "repeated":
          return { status: 201, body: JSON.parse(outcome.answer) };
        case "other_request":
          return invalid(
            newImportRefused({ base: ["This idempotency key was used with another body."] }).errors,
          );
        case "still_under_way":
          throw new Problem(
            "conflict",
            "A request with this idempotency key is still under way: ask again in a moment.",
          );
      }
    },
  };
};
