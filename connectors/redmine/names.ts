/** The names of the same streams in each family. */
export interface Names {
  readonly issues: "tasks" | "tickets";
  readonly pages: "wikiPages" | "articles";
  readonly projects: "projects" | "groups";
}

export const projectNames: Names = { issues: "tasks", pages: "wikiPages", projects: "projects" };
export const helpdeskNames: Names = { issues: "tickets", pages: "articles", projects: "groups" };

/** Redmine finds a comment only through its issue. */
export const commentId = (issueId: number | string, journalId: number): string => `${issueId}-${journalId}`;

export const parseCommentId = (id: string): { issueId: string; journalId: number } | null => {
  const found = /^(\d+)-(\d+)$/.exec(id);
  return found ? { issueId: found[1] ?? "", journalId: Number(found[2]) } : null;
};

/** Redmine finds a page only by its project and title. */
export const pageId = (projectId: number | string, title: string): string => `${projectId}:${title}`;

export const parsePageId = (id: string): { projectId: string; title: string } | null => {
  const found = /^(\d+):(.+)$/s.exec(id);
  return found ? { projectId: found[1] ?? "", title: found[2] ?? "" } : null;
};

/** Redmine's attachments don't name their parent, so the id does: `tasks/12/4`. */
export const attachmentId = (stream: string, parentId: string, id: number): string =>
  `${stream}/${parentId}/${id}`;

export const parseAttachmentId = (
  id: string,
): { stream: string; parentId: string; attachmentId: number } | null => {
  const found = /^(\w+)\/(.+)\/(\d+)$/s.exec(id);
  return found ? { stream: found[1] ?? "", parentId: found[2] ?? "", attachmentId: Number(found[3]) } : null;
};

/** Relative to the instance, without the format's extension. */
export const pageUrl = (projectId: string, title: string): string =>
  `projects/${projectId}/wiki/${encodeURIComponent(title)}`;
