import type { Family } from "@portage/contract";
import { type FamilyStream, findStream } from "../../features/tools/index.ts";

/** What people call a stream: "Tickets". */
export const streamLabel = (family: Family, name: string): string => {
  const stream: FamilyStream | undefined = findStream(family, name);
  return stream?.label ?? name;
};
