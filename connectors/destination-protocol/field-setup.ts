import type { FamilyStream, FieldSetup } from "@portage/connector-kit";
import type { DescribedStream } from "@portage/contract/destination-protocol";
import { ask } from "./ask.ts";
import { customFieldOf } from "./custom-field.ts";
import type { Settings } from "./settings.ts";

/** The two optional calls, for a stream whose description names types of fields that it creates. */
export const fieldSetup = (
  { family, name }: FamilyStream,
  types: DescribedStream["createsFields"],
): FieldSetup<Settings> => {
  const target = { family, stream: name };
  return {
    creatable: async () => ({ types }),
    async create(io, { mark, label, type, options }) {
      const asked = {
        ...target,
        mark,
        label: label.slice(0, 200),
        type,
        ...(options && { options: [...options] }),
      };
      const answer = await ask(io, "createField", asked);
      return answer.kind === "created" ? { kind: "created", field: customFieldOf(answer.field) } : answer;
    },
    remove: (io, mark) => ask(io, "removeField", { ...target, mark }),
  };
};
