import { ConnectorError, type Once, once, type Who } from "@portage/connector-kit";
import { z } from "zod";
import { askOne, askWholeList } from "./ask.ts";
import type { RtIo, RtSettings } from "./settings.ts";

export const personRow = z.object({
  id: z.coerce.string(),
  type: z.string(),
  Name: z.string().nullish(),
  RealName: z.string().nullish(),
  EmailAddress: z.string().nullish(),
});
export type PersonRow = z.infer<typeof personRow>;

export const personFields = ["id", "Name", "RealName", "EmailAddress"];

const systemNames = new Set(["RT_System", "Nobody"]);
export const isSystem = ({ Name }: Pick<PersonRow, "Name">) => systemNames.has(Name ?? "");

const idRow = z.object({ id: z.coerce.string() });

/** The ids of privileged users: RT has one list of people, and only this right separates agents from customers. */
export const agentIds = once(async (io: RtIo): Promise<ReadonlySet<string>> => {
  const groups = await askWholeList(io, {
    path: "groups",
    row: idRow.extend({ Name: z.string(), Domain: z.string() }),
    fields: ["Name", "Domain"],
    limits: [
      { field: "Domain", value: "SystemInternal" },
      { field: "Name", value: "Privileged" },
    ],
  });
  const group = groups.find(({ Name, Domain }) => Domain === "SystemInternal" && Name === "Privileged");
  if (!group)
    throw new ConnectorError({
      recovery: "abort",
      code: "unexpected_answer",
      message: "Request Tracker does not show its privileged users to this account.",
    });
  const members = await askWholeList(io, { path: `group/${group.id}/members`, row: idRow, fields: ["id"] });
  return new Set(members.map(({ id }) => id));
});

export const streamOf = async (io: RtIo, id: string): Promise<"users" | "contacts"> =>
  (await agentIds(io)).has(id) ? "users" : "contacts";

/** The person whom a row names. For groups and RT's system users only the name is known. */
export const whoOf = async (io: RtIo, row: PersonRow | null | undefined): Promise<Who | null> => {
  if (!row || row.Name === "Nobody") return null;
  const name = row.RealName || row.Name || null;
  if (row.type !== "user" || isSystem(row)) return { stream: null, id: null, name, email: null };
  return { stream: await streamOf(io, row.id), id: row.id, name, email: row.EmailAddress || null };
};

/** The addresses to which RT sends mail for a user or a group. */
export const addressesOf: Once<RtSettings, [kind: string, id: string], readonly string[]> = once(
  async (io: RtIo, kind: string, id: string) => {
    if (kind === "user") {
      const row = z.object({ EmailAddress: z.string().nullish() });
      const user = await askOne(io, `user/${encodeURIComponent(id)}`, row);
      return user?.EmailAddress ? [user.EmailAddress] : [];
    }
    const row = idRow.extend({ type: z.string() });
    const members = await askWholeList(io, {
      path: `group/${id}/members?recursively=1`,
      row,
      fields: ["id"],
    });
    const users = members.filter(({ type }) => type === "user");
    return (await Promise.all(users.map((member) => addressesOf(io, "user", member.id)))).flat();
  },
);
