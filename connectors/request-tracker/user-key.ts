import { createHash } from "node:crypto";
import { eachById, isNumericId } from "@portage/connector-kit";
import type { RtIo } from "./settings.ts";
import { askUser, askUsersBy, type UserRow } from "./users.ts";

/**
 * RT's user list can be filtered by few fields. One is the obsolete Unix field Gecos of 16 characters: it holds a
 * digest of the key, and the notes hold the key itself.
 */
export const digestOf = (key: string): string =>
  `p${BigInt(`0x${createHash("sha256").update(key).digest("hex").slice(0, 18)}`).toString(36)}`.slice(0, 16);

export const removedMark = "portage-removed";

export const isRemoved = ({ Comments, Disabled }: UserRow): boolean =>
  Disabled !== 0 && (Comments ?? "").startsWith(removedMark);

/** The users who may hold these keys. */
export const usersWithKeys = async (io: RtIo, keys: readonly string[]): Promise<readonly UserRow[]> => {
  const listed = await askUsersBy(io, "Gecos", keys.map(digestOf));
  return usersById(
    io,
    listed.map(({ id }) => String(id)),
  );
};

/** Users by id, without those that an import removed. */
export const usersById = eachById(async (io: RtIo, id: string) => {
  const user = isNumericId(id) ? await askUser(io, id) : null;
  return user && !isRemoved(user) ? user : null;
});
