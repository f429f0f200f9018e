import { z } from "zod";
import { askList, askOne } from "./ask.ts";
import { isSystem, personFields } from "./people.ts";
import type { RtIo } from "./settings.ts";

/** A user as the endpoint of one user returns it; lists return far fewer fields. */
export const userRow = z.object({
  id: z.coerce.string(),
  Name: z.string(),
  RealName: z.string().nullish(),
  EmailAddress: z.string().nullish(),
  Privileged: z.coerce.number().catch(0),
  Disabled: z.coerce.number().catch(0),
  Comments: z.string().nullish(),
  FreeformContactInfo: z.string().nullish(),
  Organization: z.string().nullish(),
  WorkPhone: z.string().nullish(),
  MobilePhone: z.string().nullish(),
  HomePhone: z.string().nullish(),
  PagerPhone: z.string().nullish(),
  Lang: z.string().nullish(),
  Timezone: z.string().nullish(),
  Gecos: z.string().nullish(),
  Created: z.string().nullish(),
  LastUpdated: z.string().nullish(),
});
export type UserRow = z.infer<typeof userRow>;

export const phoneFields = ["WorkPhone", "MobilePhone", "HomePhone", "PagerPhone"] as const;

const listRow = z.object({
  id: z.coerce.number(),
  Name: z.string(),
  EmailAddress: z.string().nullish(),
  Gecos: z.string().nullish(),
  LastUpdated: z.string().nullish(),
});
export type ListedUser = z.infer<typeof listRow>;
const fields = [...personFields, "Gecos", "LastUpdated"];

/** A page of all users, including those who can no longer sign in. */
export const askUserPage = (io: RtIo, page: number, size: number) =>
  askList(io, { path: "users", row: listRow, fields, page, size, disabledToo: true });

/** The users whose field has one of the values: RT compares case-insensitively. */
export const askUsersBy = async (
  io: RtIo,
  field: "EmailAddress" | "Name" | "Gecos",
  values: readonly string[],
): Promise<readonly ListedUser[]> => {
  const wanted = new Set(values.map((value) => value.toLowerCase()));
  if (wanted.size === 0) return [];
  const limits = [...wanted].map((value) => ({ field, value }));
  const { rows } = await askList(io, { path: "users", row: listRow, fields, limits, disabledToo: true });
  return rows.filter((row) => wanted.has((row[field] ?? "").toLowerCase()));
};

export const askUser = async (io: RtIo, id: string | number): Promise<UserRow | null> => {
  const row = await askOne(io, `user/${encodeURIComponent(id)}`, userRow);
  return row && !isSystem(row) ? row : null;
};
