import type { Connector } from "@portage/connector-kit";
import { taskCommentCopies, ticketCommentCopies } from "./destination-comments.ts";
import { helpdeskFileCopies, projectFileCopies } from "./destination-files.ts";
import { taskCopies, ticketCopies } from "./destination-issues.ts";
import { articleCopies, wikiPageCopies } from "./destination-pages.ts";
import { groupCopies, projectCopies } from "./destination-projects.ts";
import { relationCopies } from "./destination-relations.ts";
import { timeEntryCopies } from "./destination-time.ts";
import { agentCopies, memberCopies } from "./destination-users.ts";
import { versionCopies } from "./destination-versions.ts";
import type { Settings } from "./settings.ts";

export const destination: NonNullable<Connector<Settings>["destination"]> = {
  projects: [
    memberCopies,
    projectCopies,
    versionCopies,
    taskCopies,
    relationCopies,
    taskCommentCopies,
    timeEntryCopies,
    wikiPageCopies,
    projectFileCopies,
  ],
  helpdesk: [agentCopies, groupCopies, ticketCopies, ticketCommentCopies, articleCopies, helpdeskFileCopies],
};
