import type { Who } from "@portage/connector-kit";
import { userOf } from "./catalog.ts";
import type { UserRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

/** Redmine requires two names; this is the second name of a person who has only one. */
const noName = "-";

export const nameOf = ({ firstname, lastname }: Pick<UserRow, "firstname" | "lastname">): string =>
  [firstname, lastname].filter((part) => part !== noName && part !== "").join(" ") || noName;

const maxName = 30;

export const splitName = (name: string): { firstname: string; lastname: string } => {
  const words = name.trim().split(/\s+/);
  const cut = Math.max(1, words.length - 1);
  const short = (text: string) => [...text].slice(0, maxName).join("");
  return {
    firstname: short(words.slice(0, cut).join(" ")) || noName,
    lastname: short(words.slice(cut).join(" ")) || noName,
  };
};

/** The person whom a row names. For groups and visitors only the name is known. */
export const whoOf = async (
  io: RedmineIo,
  named: { readonly id: number; readonly name: string } | undefined,
): Promise<Who | null> => {
  if (!named) return null;
  const user = await userOf(io, named.id);
  if (!user) return { stream: null, id: null, name: named.name, email: null };
  return { stream: "users", id: String(user.id), name: nameOf(user), email: user.mail || null };
};
