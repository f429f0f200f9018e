import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type RedmineApi, redmineApi } from "./redmine-api.ts";
import type { RedmineServer } from "./redmine-server.ts";
import { picture, subjects, texts } from "./seed-texts.ts";

interface Ids {
  readonly fields: Readonly<Record<string, number>>;
  readonly gold: number;
  readonly tracker: number;
  readonly held: number;
}

const people = [
  ["ana", "Ana", "Müller", "ana@example.com"],
  ["ana2", "Ana", "Müller", "ana.mueller@example.org"],
  ["yuki", "由紀", "山田", "yuki@example.jp"],
  ["omar", "عمر", "حسن", "omar@example.com"],
  ["obrien", "Seán", "O'Brien-Smith <x>", "sean@example.ie"],
  ["gone", "Gone", "Former", "gone@example.com"],
  ["null", "Null", "Undefined", "null@example.com"],
] as const;

/** Several at a time: the order of similar records does not matter. */
const makeInParallel = async <T>(
  count: number,
  make: (index: number) => Promise<T>,
): Promise<readonly T[]> => {
  const made: T[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) made[index] = await make(index);
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return made;
};

const pick = <T>(from: readonly T[], index: number): T => from[index % from.length] as T;

const seedPeople = async (api: RedmineApi, { fields }: Ids) => {
  const ids: number[] = [];
  for (const [login, firstname, lastname, mail] of people) {
    const custom_fields = [{ id: fields.Badge, value: `B-${login} ✓` }];
    const { user } = await api.post("users.json", {
      user: {
        login,
        firstname,
        lastname,
        mail,
        generate_password: true,
        mail_notification: "all",
        custom_fields,
      },
    });
    ids.push(user.id);
  }
  await api.post("groups.json", { group: { name: "Unterstützung & Co", user_ids: ids.slice(0, 3) } });
  return ids;
};

const seedProjects = async (api: RedmineApi, { fields }: Ids, userIds: readonly number[]) => {
  const make = async (name: string, identifier: string, more: Record<string, unknown> = {}) => {
    const { project } = await api.post("projects.json", {
      project: {
        name,
        identifier,
        description: `About *${name}*.`,
        enabled_module_names: ["issue_tracking", "time_tracking", "wiki", "files"],
        custom_fields: [{ id: fields["Cost centre"], value: "KST 4711 é" }],
        ...more,
      },
    });
    for (const [index, user_id] of userIds.entries())
      if (index !== 3)
        await api.post(`projects/${project.id}/memberships.json`, {
          membership: { user_id, role_ids: [3 + (index % 2)] },
        });
    return project.id as number;
  };
  const shop = await make("Shop & Café ☕", "shop");
  const inner = await make("Backend", "shop-backend", { parent_id: shop, is_public: false });
  const deep = await make("Zahlungen", "shop-payments", { parent_id: inner, is_public: false });
  const closed = await make("Closed one", "closed-one");
  const archived = await make("Archived one", "archived-one");
  return { shop, inner, deep, closed, archived };
};

const seedVersions = async (api: RedmineApi, { fields }: Ids, projectId: number) => {
  const ids: number[] = [];
  for (const [name, status, due_date] of [
    ["1.0 “Anfang”", "closed", "2019-12-31"],
    ["2.0", "locked", null],
    ["3.0 🚀", "open", "2031-01-01"],
  ] as const) {
    const custom_fields = [{ id: fields["Code name"], value: `Projekt ${name}` }];
    const version = {
      name,
      status: "open",
      sharing: "tree",
      due_date,
      description: `What ${name} brings`,
      custom_fields,
    };
    ids.push((await api.post(`projects/${projectId}/versions.json`, { version })).version.id);
    if (status !== "open") await api.put(`versions/${ids.at(-1)}.json`, { version: { status } });
  }
  return ids;
};

const customValues = ({ fields, gold }: Ids, index: number, userId: number, versionId: number) => [
  { id: fields["Short text"], value: pick(subjects, index).slice(0, 100) },
  { id: fields["Long text"], value: pick(texts, index).slice(0, 2_000) },
  { id: fields["Whole number"], value: String(index - 5) },
  { id: fields.Decimal, value: `${index}.25` },
  { id: fields["Yes or no"], value: index % 2 === 0 ? "1" : "0" },
  { id: fields.Day, value: index % 3 === 0 ? "1968-02-29" : "2024-02-29" },
  { id: fields["One of"], value: pick(["Rot", "Grün", "日本"], index) },
  { id: fields["Some of"], value: index % 2 === 0 ? ["a", "c d"] : [] },
  { id: fields["Web page"], value: "https://example.com/?q=1&r=2" },
  { id: fields.Person, value: String(userId) },
  { id: fields.Release, value: String(versionId) },
  { id: fields.Level, value: String(gold) },
];

const seedIssues = async (
  api: RedmineApi,
  ids: Ids,
  projectIds: readonly number[],
  userIds: readonly number[],
  versionIds: readonly number[],
  count: number,
) => {
  const openVersion = versionIds.at(-1) ?? 0;
  const make = async (index: number) => {
    const author = pick(people, index)[0];
    const rich = index < 40;
    const uploads =
      rich && index % 5 === 1
        ? [
            {
              token: await api.upload("picture.png", picture),
              filename: "picture.png",
              content_type: "image/png",
            },
          ]
        : [];
    const { issue } = await api.post(
      "issues.json",
      {
        issue: {
          project_id: rich ? pick(projectIds, index % 7 === 0 ? index : 0) : projectIds[0],
          tracker_id: pick([1, 2, 3, ids.tracker], index),
          subject: rich ? pick(subjects, index) : `Issue number ${index}`,
          description: rich ? pick(texts, index) : "Just one of many.",
          priority_id: 1 + (index % 5),
          start_date: index % 2 ? "2020-02-29" : "",
          due_date: index % 4 === 1 ? "2020-03-31" : "",
          estimated_hours: index % 3 ? 1.5 * index : null,
          done_ratio: (index % 11) * 10,
          ...(rich
            ? {
                assigned_to_id:
                  index % 7 === 0 || index % 3 === 0 ? "" : pick([userIds[0], userIds[1], userIds[2]], index),
                fixed_version_id: index % 7 !== 0 && index % 2 ? openVersion : "",
                is_private: index % 13 === 5,
                custom_fields: customValues(ids, index, userIds[0] ?? 1, openVersion),
                watcher_user_ids: index % 4 === 0 ? userIds.slice(0, 2) : [],
                uploads,
              }
            : {}),
        },
      },
      // The user without a project writes nothing; sometimes the administrator writes instead.
      author === "omar" || index % 6 === 0 || !rich ? undefined : author,
    );
    return issue.id as number;
  };
  const rich: number[] = [];
  for (let index = 0; index < Math.min(count, 40); index += 1) rich.push(await make(index));
  const plain = await makeInParallel(Math.max(0, count - 40), (index) => make(index + 40));
  return [...rich, ...plain];
};

const seedTalk = async (api: RedmineApi, issueIds: readonly number[], { held }: Ids) => {
  for (const [index, id] of issueIds.slice(0, 30).entries()) {
    const as = pick(["ana", "ana2", "obrien"], index);
    const say = (issue: Record<string, unknown>, who?: string) =>
      api.put(`issues/${id}.json`, { issue }, who);
    await say({ notes: pick(texts, index) || "Said." }, index % 7 === 0 ? undefined : as);
    if (index % 3 === 0) await say({ notes: `Between us: ${pick(subjects, index)}`, private_notes: true });
    if (index % 4 === 0)
      await say({ status_id: pick([2, 3, 4, 5, 6, held], index / 4), notes: "Status changed with a word." });
    else if (index % 4 === 1) await say({ status_id: 5 });
  }
};

const seedFiles = async (api: RedmineApi, issueIds: readonly number[]) => {
  const big = new Uint8Array(5 * 1024 * 1024).map((_, index) => (index * 31) % 251);
  const files: readonly [string, Uint8Array<ArrayBuffer>][] = [
    ["Übersicht (日本) 🔥.txt", Uint8Array.from(Buffer.from("Grüße"))],
    ["big.bin", big],
    ["empty.txt", new Uint8Array(0)],
    ["no extension", Uint8Array.from([0, 255, 13, 10])],
    ["a'quote.csv", Uint8Array.from(Buffer.from("a;b\n1;2\n"))],
  ];
  for (const [index, [filename, bytes]] of files.entries()) {
    const uploads = [
      { token: await api.upload(filename, bytes), filename, description: `Caption ${index} é` },
    ];
    await api.put(`issues/${pick(issueIds, index)}.json`, { issue: { uploads, notes: `With ${filename}` } });
  }
};

const seedWiki = async (api: RedmineApi, projectId: number) => {
  const page = async (title: string, text: string, parent_title?: string, uploads: unknown[] = []) =>
    api.put(`projects/${projectId}/wiki/${encodeURIComponent(title)}.json`, {
      wiki_page: { text, parent_title, uploads, comments: "seeded" },
    });
  await page("Wiki", "h1. Start\n\n{{toc}}\n\n[[Second page]]");
  await page("Second_page", "!diagram.png!\n\nText under it.", "Wiki", [
    {
      token: await api.upload("diagram.png", picture),
      filename: "diagram.png",
      content_type: "image/png",
      description: "A diagram",
    },
  ]);
  await page("Größe_und_Maß", texts[2] ?? "", "Second_page");
  await page("日本語のページ", texts[0] ?? "", "Second_page");
  for (let index = 0; index < 30; index += 1) await page(`Note_${index}`, `Note *${index}*`, "Wiki");
};

/** More than a page of them. */
const issues = 56;
const timeEntries = 20;

/** Fills a fresh instance with realistic data, by its own interface if possible. */
export const seedRedmine = async (server: RedmineServer) => {
  const api = redmineApi(server);
  const output = await server.ruby(readFileSync(fileURLToPath(new URL("seed.rb", import.meta.url)), "utf8"));
  const ids = JSON.parse(output.slice(output.indexOf("{"))) as Ids;
  const userIds = await seedPeople(api, ids);
  const { shop, inner, deep, closed, archived } = await seedProjects(api, ids, userIds);
  const versionIds = await seedVersions(api, ids, shop);
  const issueIds = await seedIssues(api, ids, [shop, inner, deep], userIds, versionIds, issues);
  const [parent = 0, child = 0, grandchild = 0, fourth = 0, fifth = 0, sixth = 0] = issueIds.slice(40);
  await api.put(`issues/${child}.json`, { issue: { parent_issue_id: parent } });
  await api.put(`issues/${grandchild}.json`, { issue: { parent_issue_id: child } });
  for (const [from, to, relation_type] of [
    [parent, fourth, "relates"],
    [fourth, fifth, "blocks"],
    [fifth, sixth, "precedes"],
    [sixth, parent, "duplicates"],
  ] as const)
    await api.post(`issues/${from}/relations.json`, {
      relation: { issue_to_id: to, relation_type, ...(relation_type === "precedes" ? { delay: 3 } : {}) },
    });
  await seedTalk(api, issueIds, ids);
  await seedFiles(api, issueIds);
  await seedWiki(api, shop);
  await api.put(`projects/${inner}/wiki/Inner.json`, { wiki_page: { text: "Inside." } });
  const token = await api.upload("release notes.txt", Uint8Array.from(Buffer.from("notes")));
  await api.post(`projects/${shop}/files.json`, {
    file: { token, filename: "release notes.txt", version_id: versionIds[2], description: "Of 3.0" },
  });
  const handbook = await api.upload("handbook.pdf", Uint8Array.from(Buffer.from("%PDF-1.4")));
  await api.post(`projects/${shop}/files.json`, { file: { token: handbook, filename: "handbook.pdf" } });
  const { time_entry_activities: activities } = await api.get("enumerations/time_entry_activities.json");
  await makeInParallel(timeEntries, (index) =>
    api.post("time_entries.json", {
      time_entry: {
        ...(index % 3 ? { issue_id: pick(issueIds.slice(52, 90), index) } : { project_id: shop }),
        user_id: pick([userIds[0], userIds[2]], index),
        hours: 0.25 * (1 + (index % 9)),
        spent_on: index % 10 === 0 ? "1999-12-31" : "2024-02-29",
        activity_id: activities[index % 2].id,
        comments: pick(subjects, index),
        custom_fields: [{ id: ids.fields["Billable to"], value: "Kunde Ä" }],
      },
    }),
  );
  const inClosed = await api.post("issues.json", {
    issue: { project_id: closed, subject: "In a closed project" },
  });
  await api.post("issues.json", { issue: { project_id: archived, subject: "In an archived project" } });
  await api.put(`projects/${closed}/close.json`, {});
  await api.put(`projects/${archived}/archive.json`, {});
  // A former member: locked, but still an author.
  await api.put(`users/${userIds[5]}.json`, { user: { status: 3 } });
  await server.ruby("Setting.notified_events = Redmine::Notifiable.all.map(&:name)");
  return {
    userIds,
    projectIds: { shop, inner, deep, closed, archived },
    versionIds,
    issueIds,
    closedIssueId: inClosed.issue.id as number,
  };
};
