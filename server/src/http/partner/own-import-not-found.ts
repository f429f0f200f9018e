import { Problem } from "../answer.ts";

export const ownImportNotFound = () =>
  new Problem("not_found", "There is no such import of yours, or it was cancelled or archived.");
