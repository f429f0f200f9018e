import type { Connector, FamilyRecord, SourceStream } from "@portage/connector-kit";
import type { Settings } from "./settings.ts";
import { helpdeskFiles, projectFiles } from "./source-files.ts";
import { relations, taskComments, tasks, ticketComments, tickets } from "./source-issues.ts";
import { articles, wikiPages } from "./source-pages.ts";
import { agents, allProjects, groups, members, timeEntries, versions } from "./source-projects.ts";

/** Erases the record type of a stream, to list streams of different types together. */
const any = <T extends FamilyRecord>(stream: SourceStream<T, Settings>) =>
  stream as unknown as SourceStream<FamilyRecord, Settings>;

export const source: NonNullable<Connector<Settings>["source"]> = {
  projects: [
    any(members),
    any(allProjects),
    any(versions),
    any(tasks),
    any(relations),
    any(taskComments),
    any(timeEntries),
    any(wikiPages),
    any(projectFiles),
  ],
  helpdesk: [any(agents), any(groups), any(tickets), any(ticketComments), any(articles), any(helpdeskFiles)],
};
