import { createHash } from "node:crypto";
import { keyIn } from "./marker.ts";
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

export const findUsers = async (
  io: RtIo,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const listed = await askUsersBy(io, "Gecos", keys.map(digestOf));
  const users = await Promise.all(listed.map(({ id }) => askUser(io, id)));
  const found = new Map<string, string[]>();
  for (const user of users) {
    const key = user && !isRemoved(user) ? keyIn(user.Comments) : null;
    if (user && key !== null && keys.includes(key)) found.set(key, [...(found.get(key) ?? []), user.id]);
  }
  return found;
};
