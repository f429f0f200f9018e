import type { Who } from "@portage/connector-kit";
import { catalogOf } from "./catalog.ts";
import type { UserRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

/** Redmine asks for two names; who has one has this as the second. */
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

/** Somebody whom a row names. Groups and visitors are known by name only. */
export const whoOf = async (
  io: RedmineIo,
  named: { readonly id: number; readonly name: string } | undefined,
): Promise<Who | null> => {
  if (!named) return null;
  const user = await catalogOf(io).user(named.id);
  if (!user) return { stream: null, id: null, name: named.name, email: null };
  return { stream: "users", id: String(user.id), name: nameOf(user), email: user.mail || null };
};
