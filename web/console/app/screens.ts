export type ScreenName =
  | "sign-in"
  | "enrol"
  | "overview"
  | "imports"
  | "import"
  | "partners"
  | "partner"
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
  "/webhooks": "webhooks",
  "/tools": "tools",
  "/workers": "workers",
  "/audit": "audit",
};

/** The screen at a path, and the id in it; null: there is none. */
export const matchScreen = (path: string): { readonly name: ScreenName; readonly id: string } | null => {
  const name = Object.hasOwn(plain, path) ? plain[path] : undefined;
  if (name) return { name, id: "" };
  const [, kind, id] = /^\/(imports|partners)\/([A-Za-z0-9_]+)$/.exec(path) ?? [];
  if (id === undefined) return null;
  return { name: kind === "imports" ? "import" : "partner", id };
};
