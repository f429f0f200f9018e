import type { CustomField } from "@portage/connector-kit";

const field = { required: false, writable: true };

/** The custom fields of the sample records, in every stream. */
export const customFields: readonly CustomField[] = [
  {
    ...field,
    key: "color",
    label: "Color",
    type: "choice",
    options: [
      { value: "red", label: "Red" },
      { value: "green", label: "Green" },
    ],
  },
  { ...field, key: "size", label: "Size", type: "number" },
  { ...field, key: "note", label: "Note", type: "text" },
];
