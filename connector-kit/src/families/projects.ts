import { z } from "zod";
import { attachmentsOf } from "./attachments.ts";
import {
  addedToAll,
  author,
  day,
  id,
  optionalDay,
  optionalFlag,
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
  texts,
  visibility,
} from "./record-parts.ts";
import { familyStream, type Relation } from "./stream.ts";

const user: Relation = { to: ["users"], missing: "clear" };
const inProject: Relation = { to: ["projects"], missing: "skip" };
const ofTask: Relation = { to: ["tasks"], missing: "skip" };

const memberAdded = {
  handle: optionalText("The short name after an @, where people have no e-mail address or don't show it."),
  ...addedToAll,
};

const member = z.object({
  ...recordFields,
  name: text("The full name."),
  email: optionalText("What people are matched by."),
  active: z.boolean().default(true).describe("False: may no longer sign in."),
  ...memberAdded,
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
  ...addedToAll,
});

const version = z.object({
  ...recordFields,
  projectId: id.describe("The project."),
  name: text("A milestone, release or sprint."),
  description: optionalText("What it brings."),
  state: z.enum(["open", "locked", "closed"]).default("open").describe("Whether tasks may be added."),
  startsOn: optionalDay("Its first day."),
  dueOn: optionalDay("Its last day."),
  ...addedToAll,
});

const sprint = z.object({
  ...recordFields,
  projectId: id.describe("The project."),
  name: text("The name for people."),
  goal: optionalText("What it should bring."),
  state: z.enum(["future", "active", "closed"]).describe("Whether it is still to come."),
  startsOn: optionalDay("Its first day."),
  dueOn: optionalDay("Its last day."),
  closedAt: optionalMoment("When it ended."),
  ...addedToAll,
});

const list = z.object({
  ...recordFields,
  projectId: id.describe("The project."),
  name: text("A column of a board, or a section of a list."),
  position: optionalNumber("Its place among the project's lists."),
  archived: z.boolean().default(false).describe("Out of sight."),
  ...addedToAll,
});

const label = z.object({
  ...recordFields,
  projectId: optionalRef("The project; null: it is for all."),
  name: text("As in the `tags` of tasks."),
  color: optionalText("As the tool has it: a word, or #rrggbb."),
  description: optionalText("What it means."),
  ...addedToAll,
});

const taskAdded = {
  number: optionalText("The number by which people know it, if that is not the id: ABC-12."),
  assigneeIds: refs("All who do it, if there are several; `assignee` is the first."),
  projectIds: refs("All its projects, if it is in several; `projectId` is the main one."),
  versionIds: refs("All its milestones, if there are several; `versionId` is the first."),
  sprintId: optionalRef("The sprint that it is planned for."),
  listId: optionalRef("The list that it is in."),
  components: texts("Parts of the product, by name; `category` is the first."),
  points: optionalNumber("The estimate, in a measure of the team."),
  archived: optionalFlag("True: out of sight; null: the tool doesn't tell."),
  ...addedToAll,
};

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
  ...taskAdded,
});

const checklistItem = z.object({
  ...recordFields,
  taskId: id.describe("The task."),
  checklist: optionalText("The name of its checklist: a task can have several."),
  title: text("What is to be done."),
  done: z.boolean().default(false).describe("Whether it is ticked off."),
  position: optionalNumber("Its place in its checklist."),
  assignee: optionalWho("Who does it."),
  dueOn: optionalDay("The last day for it."),
  ...addedToAll,
});

const relation = z.object({
  ...recordFields,
  fromTaskId: id.describe("The task that the kind speaks of."),
  toTaskId: id.describe("The other one."),
  kind: z
    .enum(["relates", "duplicates", "blocks", "precedes", "copied_to", "causes"])
    .describe("`from` does this to `to`."),
  delayDays: optionalNumber("Of precedes: days between."),
  ...addedToAll,
});

const commentAdded = {
  parentCommentId: optionalRef("The comment that it answers."),
  mentionedIds: refs("The people whom it names."),
  ...addedToAll,
};

const comment = z.object({
  ...recordFields,
  taskId: id.describe("The task."),
  visibility,
  body: richText.describe("What was said."),
  author,
  ...commentAdded,
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
  ...addedToAll,
});

const wikiPage = z.object({
  ...recordFields,
  projectId: id.describe("The project."),
  parentPageId: optionalRef("The page that this one is under."),
  title: text("The headline, which links name."),
  body: richText.describe("The newest version."),
  author,
  ...addedToAll,
});

/** Work planning: projects with tasks. */
export const projects = {
  users: familyStream("projects", "users", {
    label: "Members",
    kind: "people",
    schema: member,
    added: memberAdded,
  }),
  projects: familyStream("projects", "projects", {
    label: "Projects",
    schema: project,
    added: addedToAll,
    relations: { parentProjectId: { to: ["projects"], missing: "clear" }, lead: user, memberIds: user },
  }),
  versions: familyStream("projects", "versions", {
    label: "Milestones",
    schema: version,
    added: addedToAll,
    relations: { projectId: inProject },
    parent: "projectId",
  }),
  sprints: familyStream("projects", "sprints", {
    label: "Sprints",
    schema: sprint,
    added: addedToAll,
    relations: { projectId: inProject },
    parent: "projectId",
  }),
  lists: familyStream("projects", "lists", {
    label: "Lists",
    schema: list,
    added: addedToAll,
    relations: { projectId: inProject },
    parent: "projectId",
  }),
  labels: familyStream("projects", "labels", {
    label: "Labels",
    schema: label,
    added: addedToAll,
    relations: { projectId: { to: ["projects"], missing: "clear" } },
  }),
  tasks: familyStream("projects", "tasks", {
    label: "Tasks",
    schema: task,
    added: taskAdded,
    relations: {
      projectId: inProject,
      parentTaskId: { to: ["tasks"], missing: "clear" },
      versionId: { to: ["versions"], missing: "clear" },
      author: user,
      assignee: user,
      watcherIds: user,
      assigneeIds: user,
      projectIds: { to: ["projects"], missing: "clear" },
      versionIds: { to: ["versions"], missing: "clear" },
      sprintId: { to: ["sprints"], missing: "clear" },
      listId: { to: ["lists"], missing: "clear" },
    },
    parent: "projectId",
  }),
  checklistItems: familyStream("projects", "checklistItems", {
    label: "Checklist items",
    schema: checklistItem,
    added: addedToAll,
    relations: { taskId: ofTask, assignee: user },
    parent: "taskId",
  }),
  relations: familyStream("projects", "relations", {
    label: "Links between tasks",
    schema: relation,
    added: addedToAll,
    relations: { fromTaskId: ofTask, toTaskId: ofTask },
  }),
  comments: familyStream("projects", "comments", {
    label: "Comments",
    schema: comment,
    added: commentAdded,
    relations: {
      taskId: ofTask,
      author: user,
      parentCommentId: { to: ["comments"], missing: "clear" },
      mentionedIds: user,
    },
    parent: "taskId",
  }),
  timeEntries: familyStream("projects", "timeEntries", {
    label: "Time entries",
    schema: timeEntry,
    added: addedToAll,
    relations: { projectId: inProject, taskId: { to: ["tasks"], missing: "clear" }, author: user },
    parent: "projectId",
  }),
  wikiPages: familyStream("projects", "wikiPages", {
    label: "Wiki pages",
    schema: wikiPage,
    added: addedToAll,
    relations: {
      projectId: inProject,
      parentPageId: { to: ["wikiPages"], missing: "clear" },
      author: user,
    },
    parent: "projectId",
  }),
  attachments: attachmentsOf("projects", ["tasks", "comments", "projects", "versions", "wikiPages"]),
};
