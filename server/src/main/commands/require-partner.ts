import { findPartner, type Partner } from "../../features/partners/index.ts";
import type { Database } from "../../platform/db.ts";
import { CommandError } from "./command-error.ts";

export const unknownPartner = (id: string): CommandError =>
  new CommandError("unknown_partner", `There is no partner ${id}.`, {
    fix: "Run: portage partner list",
  });

export const requirePartner = async (db: Database, id: string): Promise<Partner> => {
  const partner = await findPartner(db, id);
  if (!partner) throw unknownPartner(id);
  return partner;
};
