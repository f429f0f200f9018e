export type ScreenName =
  | "sign-in"
  | "enrol"
  | "overview"
  | "imports"
  | "import"
  | "partners"
  | "partner"
  | "people"
  | "person"
  | "records"
  | "tool"
  | "billing"
  | "data"
  | "webhooks"
  | "tools"
  | "workers"
  | "audit";

const plain: Readonly<Record<string, ScreenName>> = {
  "/": "overview",
  "/sign-in": "sign-in",
  "/enrol": "enrol",
  "/imports": "imports",
  "/partners": "partners",
  "/people": "people",
  "/webhooks": "webhooks",
  "/tools": "tools",
  "/workers": "workers",
  "/audit": "audit",
  "/billing": "billing",
  "/data": "data",
};

const single: Readonly<Record<string, ScreenName>> = {
  imports: "import",
  partners: "partner",
  people: "person",
  tools: "tool",
};

/** The screen at a path, and the id in it; null: there is none. */
export const matchScreen = (path: string): { readonly name: ScreenName; readonly id: string } | null => {
  const name = Object.hasOwn(plain, path) ? plain[path] : undefined;
  if (name) return { name, id: "" };
  const [, records] = /^\/imports\/([A-Za-z0-9_]+)\/records$/.exec(path) ?? [];
  if (records !== undefined) return { name: "records", id: records };
  const [, kind = "", id] = /^\/(imports|partners|people|tools)\/([A-Za-z0-9_-]+)$/.exec(path) ?? [];
  const found = Object.hasOwn(single, kind) ? single[kind] : undefined;
  return id === undefined || !found ? null : { name: found, id };
};
