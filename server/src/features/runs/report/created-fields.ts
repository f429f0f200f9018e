import type { Family } from "@portage/contract";
import { type CustomFieldType, findStream } from "@portage/connector-kit";
import { type DestinationField, keyField } from "../ledger/store-fields.ts";
import { csvLine } from "../../../platform/csv-line.ts";

/** A field that the import created in the destination, for the report. */
export interface ReportedField {
  readonly stream: string;
  readonly label: string;
  readonly name: string;
  readonly type: CustomFieldType;
  /** The field that holds external keys: not the customer's choice. */
  readonly isForKeys: boolean;
  /** `kept`: an undo left it there, for the reason. */
  readonly state: "created" | "removed" | "kept";
  /** One sentence. */
  readonly why: string | null;
  readonly since: Date | null;
}

/** Fields that the import found do not count, nor those of which no answer of the tool ever said that they exist. */
export const reportFields = (family: Family, rows: readonly DestinationField[]): readonly ReportedField[] =>
  rows.flatMap(({ stream, sourceKey, state, field, detail, createdAt }): ReportedField[] => {
    if (state === "found" || !field) return [];
    return [
      {
        stream,
        label: findStream(family, stream)?.label ?? stream,
        name: field.label,
        type: field.type,
        isForKeys: sourceKey === keyField,
        state: state === "removed" || state === "kept" ? state : "created",
        why: detail,
        since: createdAt,
      },
    ];
  });

const sentences: Readonly<Record<ReportedField["state"], string>> = {
  created: "was created in the new tool",
  removed: "was created in the new tool, and removed by the undo",
  kept: "was created in the new tool, and stayed there after the undo",
};

/** One line for each field, without an id. */
export const fieldLines = (fields: readonly ReportedField[]): string =>
  fields
    .map(({ stream, name, state, why }) => {
      const said = [`The field “${name}” ${sentences[state]}.`, ...(why === null ? [] : [why])].join(" ");
      return csvLine([stream, "", "", "", `field_${state}`, "", said]);
    })
    .join("");
