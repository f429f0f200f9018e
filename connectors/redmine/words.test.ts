import type { Transport } from "@portage/connector-kit/http";
import { createTestIo } from "@portage/connector-kit/testing";
import { expect, test } from "vitest";
import { redmine } from "./index.ts";
import type { Settings } from "./settings.ts";

const answers: Readonly<Record<string, unknown>> = {
  "users/current.json": { user: { id: 1, login: "jo", admin: true, firstname: "Jo", lastname: "Smith" } },
  "trackers.json": {
    trackers: [
      { id: 1, name: "Bug", default_status: { id: 1 } },
      { id: 2, name: "Support" },
    ],
  },
  "issue_statuses.json": {
    issue_statuses: [
      { id: 1, name: "New", is_closed: false },
      { id: 4, name: "Feedback", is_closed: false },
      { id: 6, name: "Rejected", is_closed: true },
    ],
  },
  "enumerations/issue_priorities.json": {
    issue_priorities: [
      { id: 1, name: "Low" },
      { id: 2, name: "Normal", is_default: true },
      { id: 3, name: "Panic", active: false },
    ],
  },
  "enumerations/time_entry_activities.json": {
    time_entry_activities: [
      { id: 8, name: "Design" },
      { id: 9, name: "Old", active: false },
    ],
  },
};

const transport: Transport = {
  async send(request) {
    const known = answers[new URL(request.url).pathname.slice(1)];
    const bytes = (async function* () {
      yield Buffer.from(JSON.stringify(known ?? {}));
    })();
    return { status: known ? 200 : 404, headers: {}, url: request.url, body: bytes };
  },
};

const wordsOf = async (family: "projects" | "helpdesk", name: string) => {
  const settings = redmine.manifest.settings.parse({ instanceUrl: "https://redmine.example", token: "t" });
  const io = createTestIo<Settings>({ manifest: redmine.manifest, settings, transport });
  const found = redmine.destination?.[family]?.find(({ stream }) => stream.name === name);
  return found?.options?.(io);
};

const plain = (name: string) => ({ value: name, label: name });

test("tasks and tickets list the instance's options with their meaning in the family", async () => {
  const common = {
    priority: [
      { ...plain("Low"), kind: "low" },
      { ...plain("Normal"), kind: "normal" },
    ],
    type: [plain("Bug"), plain("Support")],
  };
  const statuses = (...kinds: readonly string[]) =>
    ["New", "Feedback", "Rejected"].map((name, index) => ({ ...plain(name), kind: kinds[index] }));
  expect(await wordsOf("projects", "tasks")).toEqual({
    ...common,
    status: statuses("todo", "in_progress", "canceled"),
  });
  expect(await wordsOf("helpdesk", "tickets")).toEqual({
    ...common,
    status: statuses("new", "pending", "closed"),
  });
});

test("time entries list the active activities", async () => {
  expect(await wordsOf("projects", "timeEntries")).toEqual({ activity: [plain("Design")] });
});
