import { z } from "zod";
import { customField, customFieldType, option } from "./describe.ts";
import { named } from "./named.ts";
import { call, key, refusalCode, refusalMessage, target } from "./parts.ts";

const mark = key.describe(
  "Portage's mark of the field, one per import and field. Keep it with the field: it proves whose field it is.",
);

export const createFieldCall = named(
  "CreateFieldCall",
  "Add this custom field.",
  call("createField", {
    ...target,
    mark,
    label: z.string().min(1).max(200).describe("As people see it."),
    type: customFieldType.describe("One that the stream's `createsFields` names."),
    options: z.array(option).max(5_000).optional().describe("Of `choice` and `choices`."),
  }),
);

const refused = z.object({
  kind: z.literal("rejected").describe("You don't add it; the run ends before anything is written."),
  code: refusalCode,
  message: refusalMessage,
});

export const createFieldAnswer = named(
  "CreateFieldAnswer",
  "The field with this mark, added now or before, or why there is none.",
  z.discriminatedUnion("kind", [z.object({ kind: z.literal("created"), field: customField }), refused]),
);

export const removeFieldCall = named(
  "RemoveFieldCall",
  "Remove the custom field with this mark, if no record holds a value in it.",
  call("removeField", { ...target, mark }),
);

export const removeFieldAnswer = named(
  "RemoveFieldAnswer",
  "Whether the field is gone.",
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("removed").describe("Also when there is no such field.") }),
    z.object({
      kind: z.literal("kept").describe("A record holds a value in it, or people use it."),
      code: refusalCode,
      message: refusalMessage,
    }),
  ]),
);
