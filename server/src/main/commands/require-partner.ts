import { findPartner, type Partner } from "../../features/partners/index.ts";
import type { Database } from "../../platform/db.ts";
import { CommandError } from "./command-error.ts";

export const unknownPartner = (id: string): CommandError =>
  new CommandError("unknown_partner", `There is no partner ${id}.`, {
    fix: "Run: portage partner list",
  });

/** What a command says if the operator API knows no such partner. */
export const noPartner = (id: string) => ({ not_found: () => unknownPartner(id) });

export const requirePartner = async (db: Database, id: string): Promise<Partner> => {
  const partner = await findPartner(db, id);
  if (!partner) throw unknownPartner(id);
  return partner;
};
