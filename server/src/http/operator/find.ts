import { findAnyImport, type ImportRecord } from "../../features/imports/index.ts";
import { findPartner, holdPartner, type Partner } from "../../features/partners/index.ts";
import { findStaff, holdStaff, type StaffMember } from "../../features/staff/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import { Problem } from "../answer.ts";

export const importNotFound = () => new Problem("not_found", "There is no such import.");

export const knownImport = async (db: Database, sealer: Sealer, id: string): Promise<ImportRecord> => {
  const found = await findAnyImport(db, sealer, id);
  if (!found) throw importNotFound();
  return found;
};

export const partnerNotFound = () => new Problem("not_found", "There is no such partner.");

export const knownPartner = async (db: Database, id: string): Promise<Partner> => {
  const partner = await findPartner(db, id);
  if (!partner) throw partnerNotFound();
  return partner;
};

/** The partner as no other request changes it until this one has ended. */
export const heldPartner = async (db: Database, id: string): Promise<Partner> => {
  const partner = await holdPartner(db, id);
  if (!partner) throw partnerNotFound();
  return partner;
};

const personNotFound = () => new Problem("not_found", "There is no such person.");

export const knownStaff = async (db: Database, id: string): Promise<StaffMember> => {
  const person = await findStaff(db, id);
  if (!person) throw personNotFound();
  return person;
};

/** The person as no other request changes them until this one has ended. */
export const heldStaff = async (db: Database, id: string): Promise<StaffMember> => {
  const person = await holdStaff(db, id);
  if (!person) throw personNotFound();
  return person;
};
