import { createdImport, newImport, newImportErrorKeys, newImportErrors } from "@portage/contract";
import { z } from "zod";
import type { Once } from "../../../features/idempotency/index.ts";
import { type Created, type createImport, newImportRefused } from "../../../features/imports/index.ts";
import { type Answer, invalid, Problem } from "../../answer.ts";
import { idempotencyKey } from "../../idempotency-key.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { toCreated } from "../represent.ts";
import { sandboxCreated } from "../sandbox/fixtures.ts";

const stillUnderWay = () =>
  new Problem("conflict", "A request with this idempotency key is still under way: ask again in a moment.");

const otherBody = newImportRefused({ base: ["This idempotency key was used with another body."] }).errors;

const sampleImport = {
  source_tool: "request-tracker",
  destination_username: "jo@acme.example",
  reference: "acme-42",
};

export const createImportOperation: Operation = {
  id: "createImport",
  method: "POST",
  path: "/imports",
  tag: "Imports",
  summary: "Create an import",
  description:
    "Creates an import and answers with the address to which you send the customer. When everything that the " +
    "destination needs is given, it is called first: what it refuses is a 422 with `destination`. So is a value that " +
    "can't be right, such as the address of another tool, even if something else is still missing.",
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
    201: {
      description: "Created.",
      schema: createdImport,
      examples: (publicUrl) => ({
        created: sandboxCreated(publicUrl, "collecting_credentials"),
        start_full: sandboxCreated(publicUrl, "in_preparation"),
      }),
    },
    409: {
      description: "A request with this idempotency key is still under way.",
      problem: stillUnderWay(),
    },
    422: {
      description: "The request breaks a rule.",
      schema: newImportErrors,
      examples: () => ({
        unknown_tool: newImportRefused({ source_tool: ["is not supported"] }).errors,
        destination: newImportRefused({ destination: ["The destination refused this token."] }).errors,
        other_body: otherBody,
      }),
    },
  },
  sample: {
    headers: { "Idempotency-Key": "acme-42" },
    body: sampleImport,
    sdk: `const { id, redirect_url } = await portage.imports.create(
  {
    source_tool: "${sampleImport.source_tool}",
    destination_username: "${sampleImport.destination_username}",
    reference: "${sampleImport.reference}",
  },
  { idempotencyKey: "acme-42" },
);
console.log(id, "send the customer to", redirect_url);`,
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
          return invalid(otherBody);
        case "still_under_way":
          throw stillUnderWay();
      }
    },
  };
};
