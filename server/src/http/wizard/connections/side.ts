import type { Side } from "../../../features/imports/index.ts";
import { Problem } from "../../answer.ts";

/** The side that an address names. */
export const readSide = (text: string): Side => {
  if (text === "source" || text === "destination") return text;
  throw new Problem("not_found", "An import has the sides source and destination.");
};
