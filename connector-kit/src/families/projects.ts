import { z } from "zod";
import { attachmentsOf } from "./attachments.ts";
import {
  author,
  day,
  id,
  optionalDay,
  optionalMoment,
  optionalNumber,
  optionalRef,
  optionalRichText,
  optionalText,
  optionalWho,
  recordFields,
  refs,
  richText,
  text,
  visibility,
} from "./record-parts.ts";
import { familyStream, type Relation } from "./stream.ts";

const user: Relation = { to: ["users"], missing: "clear" };
const inProject: Relation = { to: ["projects"], missing: "skip" };
const ofTask: Relation = { to: ["tasks"], missing: "skip" };

const member = z.object({
  ...recordFields,
  name: text("The full name."),
  email: optionalText("What people are matched by."),
  active: z.boolean().default(true).describe("False: may no longer sign in."),
});

const project = z.object({
  ...recordFields,
  name: text("The name for people."),
  key: optionalText("The short name in addresses and task numbers."),
  description: optionalRichText("What it is about."),
  parentProjectId: optionalRef("The project that this one is part of."),
  archived: z.boolean().default(false).describe("Read only, out of sight."),
  visibility: visibility.default("internal"),
  lead: optionalWho("Who is responsible."),
  memberIds: refs("Who takes part."),
});

const version = z.object({
  ...recordFields,
  projectId: id.describe("The project."),
  name: text("A milestone, release or sprint."),
  description: optionalText("What it brings."),
  state: z.enum(["open", "locked", "closed"]).default("open").describe("Whether tasks may be added."),
  startsOn: optionalDay("Its first day."),
  dueOn: optionalDay("Its last day."),
});

const task = z.object({
  ...recordFields,
  projectId: id.describe("The project."),
  parentTaskId: optionalRef("A subtask's task; to any depth."),
  versionId: optionalRef("The milestone it is planned for."),
  title: text("One line."),
  description: optionalRichText("What is to be done."),
  type: optionalText("The tool's own word: bug, story, feature."),
  status: text("The tool's own word."),
  statusKind: z.enum(["todo", "in_progress", "done", "canceled"]).describe("What that word means."),
  priority: optionalText("The tool's own word."),
  priorityKind: z
    .enum(["low", "normal", "high", "urgent"])
    .nullable()
    .default(null)
    .describe("What that word means."),
  category: optionalText("The project's own subdivision, by name."),
  author,
  assignee: optionalWho("Who does it."),
  watcherIds: refs("Who follows it."),
  startsOn: optionalDay("The first day of work."),
  dueOn: optionalDay("The last day of work."),
  closedAt: optionalMoment("When it was done."),
  estimatedMinutes: optionalNumber("How long it should take."),
  donePercent: z.number().min(0).max(100).nullable().default(null).describe("How much is done."),
  position: optionalNumber("Its place in its list."),
  visibility: visibility.default("public"),
});

const relation = z.object({
  ...recordFields,
  fromTaskId: id.describe("The task that the kind speaks of."),
  toTaskId: id.describe("The other one."),
  kind: z
    .enum(["relates", "duplicates", "blocks", "precedes", "copied_to", "causes"])
    .describe("`from` does this to `to`."),
  delayDays: optionalNumber("Of precedes: days between."),
});

const comment = z.object({
  ...recordFields,
  taskId: id.describe("The task."),
  visibility,
  body: richText.describe("What was said."),
  author,
});

const timeEntry = z.object({
  ...recordFields,
  projectId: id.describe("The project."),
  taskId: optionalRef("The task, if it was for one."),
  author,
  spentOn: day.describe("The day of the work."),
  minutes: z.number().min(0).describe("How long."),
  activity: optionalText("The tool's own word: development, design."),
  note: optionalText("What was done."),
});

const wikiPage = z.object({
  ...recordFields,
  projectId: id.describe("The project."),
  parentPageId: optionalRef("The page that this one is under."),
  title: text("The headline, which links name."),
  body: richText.describe("The newest version."),
  author,
});

/** Work planning: projects with tasks. */
export const projects = {
  users: familyStream("projects", "users", { label: "Members", kind: "people", schema: member }),
  projects: familyStream("projects", "projects", {
    label: "Projects",
    schema: project,
    relations: { parentProjectId: { to: ["projects"], missing: "clear" }, lead: user, memberIds: user },
  }),
  versions: familyStream("projects", "versions", {
    label: "Milestones",
    schema: version,
    relations: { projectId: inProject },
    parent: "projectId",
  }),
  tasks: familyStream("projects", "tasks", {
    label: "Tasks",
    schema: task,
    relations: {
      projectId: inProject,
      parentTaskId: { to: ["tasks"], missing: "clear" },
      versionId: { to: ["versions"], missing: "clear" },
      author: user,
      assignee: user,
      watcherIds: user,
    },
    parent: "projectId",
  }),
  relations: familyStream("projects", "relations", {
    label: "Links between tasks",
    schema: relation,
    relations: { fromTaskId: ofTask, toTaskId: ofTask },
  }),
  comments: familyStream("projects", "comments", {
    label: "Comments",
    schema: comment,
    relations: { taskId: ofTask, author: user },
    parent: "taskId",
  }),
  timeEntries: familyStream("projects", "timeEntries", {
    label: "Time entries",
    schema: timeEntry,
    relations: { projectId: inProject, taskId: { to: ["tasks"], missing: "clear" }, author: user },
    parent: "projectId",
  }),
  wikiPages: familyStream("projects", "wikiPages", {
    label: "Wiki pages",
    schema: wikiPage,
    relations: {
      projectId: inProject,
      parentPageId: { to: ["wikiPages"], missing: "clear" },
      author: user,
    },
    parent: "projectId",
  }),
  attachments: attachmentsOf("projects", ["tasks", "comments", "projects", "versions", "wikiPages"]),
};
