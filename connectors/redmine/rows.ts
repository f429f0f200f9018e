import { z } from "zod";

/** The fields of Redmine's answers that the connector reads; the schemas ignore all others. */
const named = z.object({ id: z.number(), name: z.string() });
const moment = z.string().nullish();

const customValues = z
  .array(
    z.object({
      id: z.number(),
      name: z.string(),
      value: z.union([z.string(), z.array(z.string()), z.null()]).optional(),
    }),
  )
  .default([]);

export const attachmentRow = z.object({
  id: z.number(),
  filename: z.string(),
  filesize: z.number(),
  content_type: z.string().nullish(),
  description: z.string().nullish(),
  author: named.optional(),
  created_on: moment,
  version: named.optional(),
});
export type AttachmentRow = z.infer<typeof attachmentRow>;

export const relationRow = z.object({
  id: z.number(),
  issue_id: z.number(),
  issue_to_id: z.number(),
  relation_type: z.string(),
  delay: z.number().nullish(),
});
export type RelationRow = z.infer<typeof relationRow>;

export const journalRow = z.object({
  id: z.number(),
  user: named.optional(),
  notes: z.string().nullish(),
  created_on: moment,
  private_notes: z.boolean().default(false),
  details: z
    .array(z.object({ property: z.string(), name: z.string(), new_value: z.string().nullish() }))
    .default([]),
});
export type JournalRow = z.infer<typeof journalRow>;

export const issueRow = z.object({
  id: z.number(),
  project: named,
  tracker: named,
  status: named.extend({ is_closed: z.boolean().optional() }),
  priority: named,
  author: named.optional(),
  assigned_to: named.optional(),
  category: named.optional(),
  fixed_version: named.optional(),
  parent: z.object({ id: z.number() }).optional(),
  subject: z.string(),
  description: z.string().nullish(),
  start_date: z.string().nullish(),
  due_date: z.string().nullish(),
  done_ratio: z.number().nullish(),
  is_private: z.boolean().default(false),
  estimated_hours: z.number().nullish(),
  custom_fields: customValues,
  created_on: moment,
  updated_on: moment,
  closed_on: moment,
  attachments: z.array(attachmentRow).default([]),
  relations: z.array(relationRow).default([]),
  journals: z.array(journalRow).default([]),
  watchers: z.array(named).default([]),
  children: z.array(z.object({ id: z.number() })).default([]),
});
export type IssueRow = z.infer<typeof issueRow>;

export const userRow = z.object({
  id: z.number(),
  login: z.string().default(""),
  admin: z.boolean().default(false),
  firstname: z.string(),
  lastname: z.string(),
  mail: z.string().nullish(),
  status: z.number().optional(),
  created_on: moment,
  updated_on: moment,
  last_login_on: moment,
  custom_fields: customValues,
  memberships: z.array(z.object({ project: named, roles: z.array(named) })).default([]),
});
export type UserRow = z.infer<typeof userRow>;

/** Of a user; the list of users does not contain it but can be filtered by it. */
export const activeStatus = 1;
export const lockedStatus = 3;

/** The anonymous user, who stands for visitors and deleted accounts; no list contains it. */
export const isVisitor = ({ status }: UserRow): boolean => status === 0;

export const projectRow = z.object({
  id: z.number(),
  name: z.string(),
  identifier: z.string(),
  description: z.string().nullish(),
  parent: named.optional(),
  status: z.number(),
  is_public: z.boolean(),
  custom_fields: customValues,
  created_on: moment,
  updated_on: moment,
});
export type ProjectRow = z.infer<typeof projectRow>;

export const versionRow = z.object({
  id: z.number(),
  project: named,
  name: z.string(),
  description: z.string().nullish(),
  status: z.enum(["open", "locked", "closed"]),
  due_date: z.string().nullish(),
  custom_fields: customValues,
  created_on: moment,
  updated_on: moment,
});
export type VersionRow = z.infer<typeof versionRow>;

export const timeEntryRow = z.object({
  id: z.number(),
  project: named,
  issue: z.object({ id: z.number() }).optional(),
  user: named.optional(),
  activity: named.optional(),
  hours: z.number(),
  comments: z.string().nullish(),
  spent_on: z.string(),
  custom_fields: customValues,
  created_on: moment,
  updated_on: moment,
});
export type TimeEntryRow = z.infer<typeof timeEntryRow>;

export const pageHeadRow = z.object({
  title: z.string(),
  parent: z.object({ title: z.string() }).optional(),
  version: z.number(),
  created_on: moment,
  updated_on: moment,
});
export type PageHeadRow = z.infer<typeof pageHeadRow>;

export const pageRow = pageHeadRow.extend({
  text: z.string().nullish(),
  author: named.optional(),
  comments: z.string().nullish(),
  attachments: z.array(attachmentRow).default([]),
});
export type PageRow = z.infer<typeof pageRow>;

export const memberRow = z.object({ id: z.number(), user: named.optional(), roles: z.array(named) });

export const customFieldRow = z.object({
  id: z.number(),
  name: z.string(),
  customized_type: z.string(),
  field_format: z.string(),
  max_length: z.number().nullish(),
  is_required: z.boolean(),
  is_filter: z.boolean().default(false),
  multiple: z.boolean().default(false),
  possible_values: z.array(z.object({ value: z.coerce.string(), label: z.coerce.string() })).default([]),
});
export type CustomFieldRow = z.infer<typeof customFieldRow>;
export type CustomValueRow = z.infer<typeof customValues>[number];
