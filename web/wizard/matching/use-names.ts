import { useImport } from "../api/queries.ts";

/** The names of both tools, as the customer knows them. */
export const useNames = (): { readonly source: string; readonly destination: string } => {
  const { sides, partner } = useImport();
  return { source: sides.source.label, destination: partner.name };
};
