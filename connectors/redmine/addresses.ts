import { addressBook, type Connector } from "@portage/connector-kit";
import {
  commentId,
  helpdeskNames,
  type Names,
  pageId,
  parseAttachmentId,
  parseCommentId,
  parsePageId,
  projectNames,
} from "./names.ts";
import type { Settings } from "./settings.ts";

const bookOf = (names: Names) =>
  addressBook({
    comments: {
      at: "/issues/:issueId#change-:journalId",
      id: ({ issueId = "", journalId }) => commentId(issueId, Number(journalId)),
      parts: ({ id }) => parseCommentId(id),
    },
    [names.issues]: "/issues/:id",
    [names.pages]: {
      at: "/projects/:projectId/wiki/:title",
      id: ({ projectId = "", title = "" }) => pageId(projectId, title),
      parts: ({ id }) => parsePageId(id),
    },
    [names.projects]: "/projects/:id",
    ...(names.projects === "projects" && {
      versions: "/versions/:id",
      timeEntries: { at: ["/time_entries/:id/edit", "/time_entries/:id"] },
    }),
  });

const books = { projects: bookOf(projectNames), helpdesk: bookOf(helpdeskNames) };

/** Pages whose address does not tell which record of ours it is. */
const others = addressBook({
  users: "/users/:id",
  attachments: { at: "/attachments/:attachmentId", parts: ({ id }) => parseAttachmentId(id) },
});

export const urlOf = ({ family, name }: { readonly family: string; readonly name: string }) =>
  (name === "users" || name === "attachments"
    ? others
    : family === "projects"
      ? books.projects
      : books.helpdesk
  ).urlOf(name);

/** Returns null for URLs that name a project by its identifier: they don't contain its id. */
export const recordAt: NonNullable<Connector<Settings>["recordAt"]> = (settings, url, family) =>
  (family === "projects" ? books.projects : books.helpdesk).recordAt(settings, url);

const links = addressBook({
  issueId: "/issues/:id",
  fileId: {
    at: [
      "/attachments/:id",
      "/attachments/:id/:name",
      "/attachments/:action/:id",
      "/attachments/:action/:id/:name",
    ],
  },
});

/** The issue or the file that a link in a text leads to. */
export const linkedFrom = (
  settings: Settings,
  url: string,
): { readonly issueId?: string; readonly fileId?: string } => {
  const found = links.targetOf(settings, url);
  return found ? { [found.stream]: found.id } : {};
};
