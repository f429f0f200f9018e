import type { Connector } from "@portage/connector-kit";
import type { Settings } from "./settings.ts";
import { helpdeskFiles, projectFiles } from "./source-files.ts";
import { relations, taskComments, tasks, ticketComments, tickets } from "./source-issues.ts";
import { articles, wikiPages } from "./source-pages.ts";
import { agents, allProjects, groups, members, timeEntries, versions } from "./source-projects.ts";

export const source: NonNullable<Connector<Settings>["source"]> = {
  projects: [
    members,
    allProjects,
    versions,
    tasks,
    relations,
    taskComments,
    timeEntries,
    wikiPages,
    projectFiles,
  ],
  helpdesk: [agents, groups, tickets, ticketComments, articles, helpdeskFiles],
};
