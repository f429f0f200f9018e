import {
  type DestinationStream,
  helpdesk,
  inDoubt,
  keyAtEnd,
  mayDiffer,
  noFieldSetup,
  notHeld,
  originLine,
  recordStream,
  rejected,
  strangeFields,
  type Write,
  withMarker,
  withoutMarker,
} from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { api, askAll, askByIds, askByKeys, askEach, change, createUnique, numericIds, tell } from "./ask.ts";
import { customFieldsOf, heldValues } from "./custom-fields.ts";
import {
  type Group,
  groupRow,
  type GroupRow,
  type Organization,
  organizationRow,
  type OrganizationRow,
  toGroup,
  toOrganization,
} from "./desk-source.ts";
import { deskHolds, detailsWith, plainOf, withoutDetails } from "./provenance.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";
import { tagsOf } from "./texts.ts";

const organizations = { path: "organizations/show_many", name: "organizations", row: organizationRow };
const organization = { path: "organizations", name: "organization", row: organizationRow };
const organizationFields = customFieldsOf("organization_fields");

const domain = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

const organizationDraft = async (io: ZendeskIo, { key, record }: Write<Organization>) => {
  const domains = record.domains.map((each) => each.toLowerCase()).filter((each) => domain.test(each));
  const values = heldValues(await organizationFields(io), record);
  const line = originLine({
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    also: { Domains: record.domains.filter((each) => !domains.includes(each.toLowerCase())) },
    customFields: strangeFields(record, Object.keys(values)),
  });
  return {
    name: record.name || "Unknown",
    domain_names: domains,
    tags: [...tagsOf(record.tags)],
    notes: plainOf(record.notes),
    details: detailsWith(line, key),
    organization_fields: values,
  };
};

const gone = () => inDoubt("Zendesk took the record but does not show it.");

export const organizationsDestination: DestinationStream<Organization, ZendeskSettings> = recordStream<
  Organization,
  OrganizationRow,
  ZendeskSettings
>({
  stream: helpdesk.organizations,
  guarantees: ["silent"],
  holds: { ...deskHolds, domains: mayDiffer("Zendesk does not accept this as a mail domain.") },
  key: {
    kind: "field",
    atMost: 100,
    of: ({ external_id: key }) => key ?? null,
    find: askByKeys(organizations),
  },
  id: ({ id }) => String(id),
  byIds: (io, ids) => askByIds(io, organizations, numericIds(ids)),
  toRecord: (row) => toOrganization({ ...withoutDetails(row), deleted_at: null }) as Organization,
  // One after the other: the name of an organization is unique, whatever its case.
  async create(io, write) {
    const fields = await organizationDraft(io, write);
    const row = await createUnique(io, organization, { ...fields, external_id: write.key });
    if (row) return { row, sent: { ...row, ...fields } };
    const named = { ...organizations, path: "organizations/search", query: { name: fields.name } };
    const [same] = await askAll(io, named);
    return same
      ? { kind: "matched", id: String(same.id) }
      : rejected("rejected", "Zendesk has an organization of this name, but does not show it.");
  },
  async change(io, write, { id }) {
    const fields = await organizationDraft(io, write);
    const row = await change(io, { ...organization, path: `organizations/${id}` }, fields);
    return row ? { row, sent: { ...row, ...fields } } : gone();
  },
  async remove(io, { id }) {
    await tell(io, { url: api(`organizations/${id}`), method: "DELETE", accept: [404] });
  },
  undoNote:
    "Zendesk does not say without a search, which lags, whether people or tickets that are not from an import are in it by now. They stay, without their organization.",
  customFields: organizationFields,
  fieldSetup: noFieldSetup(
    "Imports add fields of tickets only. An administrator can add fields of organizations in Zendesk (Admin Center, People, Configuration, Organization fields).",
  ),
  urlOf: urlOf("organizations"),
});

const groups = { path: "groups", name: "groups", row: groupRow };
const maxDescription = 250;

const groupDraft = ({ key, record }: Write<Group>) => ({
  name: record.name || "Unknown",
  description: withMarker(record.description, key, maxDescription),
});

export const groupsDestination: DestinationStream<Group, ZendeskSettings> = recordStream<
  Group,
  GroupRow,
  ZendeskSettings
>({
  stream: helpdesk.groups,
  guarantees: ["silent"],
  holds: {
    ...deskHolds,
    tags: notHeld("Zendesk's groups have no tags."),
    customFields: notHeld("Zendesk's groups have no fields."),
    description: mayDiffer("The description of a group is short, and names its key."),
    memberIds: notHeld("An administrator decides in Zendesk which agents are in a group."),
  },
  // Groups have no field for a key, but a description; and they are few.
  key: {
    kind: "field",
    of: ({ description }) => keyAtEnd(description),
    find: (io) => askAll(io, groups),
  },
  id: ({ id }) => String(id),
  byIds: async (io, ids) =>
    (await askEach(io, { ...groups, name: "group" }, ids)).filter(({ deleted }) => deleted !== true),
  toRecord: (row) =>
    toGroup({ ...row, description: withoutMarker(row.description), deleted: false }) as Group,
  async create(io, write) {
    const group = groupDraft(write);
    const same = (await askAll(io, groups)).find(
      ({ name }) => name.toLowerCase() === group.name.toLowerCase(),
    );
    if (same) return { kind: "matched", id: String(same.id) };
    const answer = await tell(io, { url: api("groups"), method: "POST", json: { group } });
    const row = answer.json(z.object({ group: groupRow })).group;
    return { row, sent: { ...row, ...group } };
  },
  async change(io, write, { id }) {
    const group = groupDraft(write);
    const row = await change(io, { ...groups, path: `groups/${id}`, name: "group" }, group);
    return row ? { row, sent: { ...row, ...group } } : gone();
  },
  async remove(io, { id }) {
    await tell(io, { url: api(`groups/${id}`), method: "DELETE", accept: [404] });
  },
  undoNote:
    "Zendesk does not say without a search, which lags, whether agents or tickets that are not from an import are in it by now. They stay, without their group.",
});
