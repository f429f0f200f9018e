import { redmineApi } from "./redmine-api.ts";
import type { RedmineServer } from "./redmine-server.ts";

type Rows = { readonly update: readonly string[]; readonly remove: readonly string[] };

const paths: Readonly<Record<string, { path: string; name: string; field: string }>> = {
  tasks: { path: "issues", name: "issue", field: "subject" },
  tickets: { path: "issues", name: "issue", field: "subject" },
  relations: { path: "relations", name: "relation", field: "" },
  timeEntries: { path: "time_entries", name: "time_entry", field: "comments" },
  attachments: { path: "attachments", name: "attachment", field: "description" },
};

/** Changes and removes rows during a read, as people would. */
export const disturbRedmine = (server: RedmineServer) => {
  const api = redmineApi(server);
  /** Children of an issue go with it, and would be missing in their own stream. */
  const isBare = async (id: string): Promise<boolean> => {
    const { issue } = await api.get(`issues/${id}.json?include=attachments,relations,children`);
    const { total_count: booked } = await api.get(`time_entries.json?issue_id=${id}`);
    const { attachments = [], relations = [], children = [] } = issue;
    return booked === 0 && [attachments, relations, children].every((list: unknown[]) => list.length === 0);
  };
  return async (stream: string, { update, remove }: Rows): Promise<void> => {
    // With a project all of its records would go.
    if (stream === "projects") return;
    const row = paths[stream];
    if (!row) throw new Error(`There is no way to disturb ${stream}.`);
    const own = (id: string) => id.replace(/^.*\//s, "");
    for (const id of remove)
      if (row.path !== "issues" || (await isBare(id))) await api.remove(`${row.path}/${own(id)}.json`);
    for (const id of row.field === "" ? [] : update)
      await api.put(`${row.path}/${own(id)}.json`, { [row.name]: { [row.field]: "Changed meanwhile" } });
  };
};
