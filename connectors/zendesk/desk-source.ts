import { foreignId, helpdesk, listStream, type RecordOf, type SourceStream } from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { askByIds, askEach, countOf, dated, numericIds, pagesOf, rowsIn, timesOf } from "./ask.ts";
import { customFieldsOf, plainNotes, valuesOf } from "./custom-fields.ts";
import { askSince, exportByTime } from "./export.ts";
import type { ZendeskSettings } from "./settings.ts";

export const organizationRow = z.object({
  id: z.number(),
  external_id: z.string().nullish(),
  name: z.string(),
  domain_names: z.array(z.string()).nullish(),
  details: z.string().nullish(),
  notes: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  organization_fields: z.record(z.string(), z.unknown()).nullish(),
  ...dated,
  deleted_at: z.string().nullish(),
});
export type OrganizationRow = z.infer<typeof organizationRow>;
export type Organization = RecordOf<typeof helpdesk.organizations>;

export const toOrganization = (row: OrganizationRow): Organization | null =>
  row.deleted_at
    ? null
    : helpdesk.organizations.make({
        id: String(row.id),
        ...timesOf(row),
        tags: row.tags ?? [],
        customFields: valuesOf(row.organization_fields),
        name: row.name,
        domains: row.domain_names ?? [],
        notes: plainNotes(row.details, row.notes),
        externalId: foreignId(row.external_id),
      });

const organizationList = { path: "organizations", name: "organizations", row: organizationRow };

/** All at once by the list, which repeats no row; what changed by the export. */
export const organizationsSource = (lagMs: number): SourceStream<Organization, ZendeskSettings> => {
  const ask = askSince("organizations", (answer) => rowsIn(answer, "organizations", organizationRow));
  const changed = exportByTime<OrganizationRow>({ lagMs, ask: (io, _at, ...page) => ask(io, ...page) });
  return listStream<OrganizationRow, Organization, ZendeskSettings>({
    stream: helpdesk.organizations,
    delta: true,
    key: ({ id }) => id,
    toRecord: toOrganization,
    pages: (rows) => (io, at) => (at.since ? changed : pagesOf(organizationList))(rows)(io, at),
    byIds: (io, ids) =>
      askByIds(io, { ...organizationList, path: "organizations/show_many" }, numericIds(ids)),
    count: countOf("organizations/count"),
    customFields: customFieldsOf("organization_fields"),
    urlOf: urlOf("organizations"),
  });
};

export const groupRow = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string().nullish(),
  deleted: z.boolean().nullish(),
  ...dated,
});
export type GroupRow = z.infer<typeof groupRow>;
export type Group = RecordOf<typeof helpdesk.groups>;

export const toGroup = (row: GroupRow): Group | null =>
  row.deleted
    ? null
    : helpdesk.groups.make({
        id: String(row.id),
        ...timesOf(row),
        name: row.name,
        description: row.description || null,
      });

export const groupsSource = (): SourceStream<Group, ZendeskSettings> =>
  listStream<GroupRow, Group, ZendeskSettings>({
    stream: helpdesk.groups,
    key: ({ id }) => id,
    toRecord: toGroup,
    pages: pagesOf({ path: "groups", name: "groups", row: groupRow }),
    cheaperByPages: true,
    byIds: (io, ids) => askEach(io, { path: "groups", name: "group", row: groupRow }, ids),
  });
