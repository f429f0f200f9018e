import type { Silence } from "@portage/connector-kit";
import { taskCommentCopies, ticketCommentCopies } from "./destination-comments.ts";
import { taskCopies, ticketCopies } from "./destination-issues.ts";
import { groupCopies, projectCopies } from "./destination-projects.ts";
import { agentCanaries, memberCanaries } from "./destination-users.ts";
import type { Settings } from "./settings.ts";

/**
 * Redmine has no log of its mails, so only a mailbox shows them. The canaries name an account like those that were there before
 * the import: with notifications of all events, and in a project of its own.
 */
export const silence: Silence<Settings> = {
  canaries: {
    projects: [memberCanaries, projectCopies, taskCopies, taskCommentCopies],
    helpdesk: [agentCanaries, groupCopies, ticketCopies, ticketCommentCopies],
  },
  mend: "In Redmine, open Administration, Settings, Email notifications, and switch off all events for the time of the move; or connect Redmine again and choose that its notifications may be on.",
};
