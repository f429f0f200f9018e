import type { Side } from "../../../features/imports/index.ts";
import { Problem } from "../../answer.ts";

/** Parses the side in a path. */
export const readSide = (text: string): Side => {
  if (text === "source" || text === "destination") return text;
  throw new Problem("not_found", "An import has the sides source and destination.");
};
