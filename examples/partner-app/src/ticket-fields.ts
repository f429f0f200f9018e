export const option = (value: string, label: string) => ({ value, label });

interface TicketField {
  readonly key: string;
  readonly label: string;
  readonly type: "text" | "choice";
  readonly maxLength?: number;
  readonly options?: readonly ReturnType<typeof option>[];
}

/** The custom fields that this desk's users added to tickets. The desk also stores and shows other imported fields. */
export const ticketFields: readonly TicketField[] = [
  { key: "reference", label: "Your reference", type: "text", maxLength: 200 },
  {
    key: "severity",
    label: "Severity",
    type: "choice",
    options: [option("1", "Minor"), option("2", "Major"), option("3", "Critical")],
  },
];
