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

/** Changes and removes rows as people would meanwhile. */
export const disturbRedmine = (server: RedmineServer) => {
  const api = redmineApi(server);
  return async (stream: string, { update, remove }: Rows): Promise<void> => {
    const row = paths[stream];
    if (!row) throw new Error(`Nobody knows how to disturb ${stream}.`);
    const own = (id: string) => id.replace(/^.*\//s, "");
    for (const id of remove) await api.remove(`${row.path}/${own(id)}.json`);
    for (const id of row.field === "" ? [] : update)
      await api.put(`${row.path}/${own(id)}.json`, { [row.name]: { [row.field]: "Changed meanwhile" } });
  };
};
