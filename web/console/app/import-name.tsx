import type { OperatorImport } from "@portage/contract/operator";

type Named = Pick<OperatorImport, "id" | "reference">;

/** What people call an import: the partner's reference, else its id. */
export const importName = ({ id, reference }: Named): string => reference ?? id;

export const ImportName = ({ of }: { of: Named }) => (
  <span className={of.reference === null ? "mono" : undefined}>{importName(of)}</span>
);
