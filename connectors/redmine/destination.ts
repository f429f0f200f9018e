import type { Connector, DestinationStream, FamilyRecord } from "@portage/connector-kit";
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

/** Erases the record type of a stream, to list streams of different types together. */
const any = <T extends FamilyRecord>(stream: DestinationStream<T, Settings>) =>
  stream as unknown as DestinationStream<FamilyRecord, Settings>;

export const destination: NonNullable<Connector<Settings>["destination"]> = {
  projects: [
    any(memberCopies),
    any(projectCopies),
    any(versionCopies),
    any(taskCopies),
    any(relationCopies),
    any(taskCommentCopies),
    any(timeEntryCopies),
    any(wikiPageCopies),
    any(projectFileCopies),
  ],
  helpdesk: [
    any(agentCopies),
    any(groupCopies),
    any(ticketCopies),
    any(ticketCommentCopies),
    any(articleCopies),
    any(helpdeskFileCopies),
  ],
};
