import { type Connector, pathWithin } from "@portage/connector-kit";
import { commentId, helpdeskNames, type Names, pageId, projectNames } from "./names.ts";
import type { Settings } from "./settings.ts";

type At = ReturnType<NonNullable<Connector<Settings>["recordAt"]>>;

const number = String.raw`(\d{1,9})`;

const ofIssue = (names: Names, id: string, fragment: string): At => {
  const journal = /^change-(\d{1,9})$/.exec(fragment)?.[1];
  return journal === undefined
    ? { stream: names.issues, id }
    : { stream: "comments", id: commentId(id, Number(journal)) };
};

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** Returns null for URLs that name a project by its identifier: they don't contain its id. */
export const recordAt: NonNullable<Connector<Settings>["recordAt"]> = ({ instanceUrl }, url, family) => {
  const within = pathWithin(instanceUrl, url);
  if (!within) return null;
  const names = family === "projects" ? projectNames : helpdeskNames;
  const matched = (pattern: string) => new RegExp(`^${pattern}/?$`).exec(within.path);
  const issue = matched(`issues/${number}`)?.[1];
  if (issue) return ofIssue(names, issue, within.fragment);
  const project = matched(`projects/${number}`)?.[1];
  if (project) return { stream: names.projects, id: project };
  const [, wiki, title = ""] = matched(`projects/${number}/wiki/([^/]{1,765})`) ?? [];
  const page = decoded(title);
  if (wiki && page) return { stream: names.pages, id: pageId(wiki, page) };
  if (family !== "projects") return null;
  const version = matched(`versions/${number}`)?.[1];
  if (version) return { stream: "versions", id: version };
  const entry = matched(`time_entries/${number}(?:/edit)?`)?.[1];
  return entry ? { stream: "timeEntries", id: entry } : null;
};
