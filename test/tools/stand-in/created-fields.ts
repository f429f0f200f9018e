import type { CustomField } from "@portage/connector-kit";
import { byHand, type WrittenRows } from "./written-rows.ts";

/** A field as a caller asks for it. */
export interface AskedField extends Pick<CustomField, "label" | "type" | "options"> {
  readonly mark: string;
  /** It holds the external keys. */
  readonly isKey?: boolean;
}

interface HeldField {
  /** Null: a person added the field. */
  readonly mark: string | null;
  readonly isKey: boolean;
  readonly field: CustomField;
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** The fields that callers added to one stream. Asked twice, it adds two: it is no better than other tools. */
export const createFields = (hasKeyField: boolean) => {
  const held: HeldField[] = [];
  let last = 0;
  const add = ({
    mark,
    isKey = false,
    label,
    type,
    options,
  }: Omit<AskedField, "mark"> & { mark: string | null }) => {
    last += 1;
    const field = {
      key: `${isKey ? "key" : "cf"}_${last}`,
      label,
      type,
      required: false,
      writable: true,
      ...(options ? { options } : {}),
    };
    held.push({ mark, isKey, field });
    return field;
  };
  if (hasKeyField) add({ mark: null, isKey: true, label: "External key", type: "text" });
  const isUsed = ({ isKey, field }: HeldField, rows: WrittenRows) =>
    [...rows.all()].some(({ key, record }) =>
      isKey ? key !== byHand : !isEmpty(record.customFields[field.key]),
    );
  return {
    add,
    /** Without the field for keys. */
    all: () => held.filter(({ isKey }) => !isKey).map(({ field }) => field),
    marked: (mark: string) => held.filter((each) => each.mark === mark).map(({ field }) => field),
    keyFields: () => held.filter(({ isKey }) => isKey).map(({ field, mark }) => ({ ...field, mark })),
    /** `used`: a record holds a value in it, so that it stays. */
    standing(key: string, rows: WrittenRows): "free" | "missing" | "used" {
      const found = held.find(({ field }) => field.key === key);
      if (!found) return "missing";
      return isUsed(found, rows) ? "used" : "free";
    },
    remove(key: string) {
      const at = held.findIndex(({ field }) => field.key === key);
      if (at >= 0) held.splice(at, 1);
      return null;
    },
  };
};

export type CreatedFields = ReturnType<typeof createFields>;
