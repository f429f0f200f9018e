import {
  changesOnTheWay,
  type DestinationStream,
  helpdesk,
  type Outcome,
  type Reasons,
  removeRecord,
  type Write,
  writeRecord,
} from "@portage/connector-kit";
import { z } from "zod";
import {
  articleQuestion,
  articleUrl,
  askArticles,
  type Article,
  type ArticleRow,
  bodyField,
  toArticle,
} from "./articles-source.ts";
import { askWholeList, tell } from "./ask.ts";
import { spelled } from "./comments-destination.ts";
import { articleFields, customFieldsOf, toRtValues } from "./custom-fields.ts";
import { articleFieldSetup } from "./field-setup.ts";
import { keyIn, markerOf, shortened, withMarker } from "./marker.ts";
import { otherKey } from "./other-key.ts";
import { originLine } from "./provenance.ts";
import type { RtIo, RtSettings } from "./settings.ts";

const maxName = 255;
const removed = /^removed \(portage-removed:/;

const classRow = z.object({ id: z.coerce.string(), Name: z.string() });

/** RT's classes are flat: the first class whose name is in the path, or else the first class. */
const classOf = async (io: RtIo, { path }: Article): Promise<string | null> => {
  const limits = [{ field: "id", operator: ">", value: 0 }];
  const classes = await askWholeList(io, { path: "classes", row: classRow, fields: ["Name"], limits });
  return (classes.find(({ Name }) => path.includes(Name)) ?? classes[0])?.id ?? null;
};

/** RT refuses a second article of the same name without giving a reason. */
const isTaken = async (io: RtIo, name: string, classId: string): Promise<boolean> => {
  const limits = [{ field: "Name", value: name }];
  const rows = await askWholeList(io, { ...articleQuestion, limits });
  return rows.some((row) => row.Class.id === classId && row.Name.toLowerCase() === name.toLowerCase());
};

const reasons: Reasons = {
  title: "Titles are unique in their class and have at most 255 bytes.",
  path: "Articles in Request Tracker are in one class, made by an administrator; the summary names the path.",
  state: "Articles in Request Tracker are either enabled or disabled.",
  locale: "Articles in Request Tracker have no language.",
  position: "Request Tracker orders articles by whole numbers other than 0.",
  body: "Request Tracker detects plain text and HTML by their content, and has one kind of line end.",
  customFields: "Articles in Request Tracker have no such field.",
};

const idRow = z.object({ id: z.string() });

/** RT treats the name "0" as no name. */
const articleName = (title: string): string => {
  const trimmed = shortened(title.replace(/\s+/g, " ").trim(), maxName - 8);
  return trimmed === "" || trimmed === "0" ? `Article ${trimmed}`.trim() : trimmed;
};

const articleOf = async (io: RtIo, { key, record }: Write<Article>) => {
  const origin = originLine({
    tags: record.tags,
    people: { Author: record.author },
    also: { Created: record.createdAt, Path: record.path },
  });
  return {
    Name: articleName(record.title),
    Summary: withMarker(origin, key, maxName),
    SortOrder: record.position === null ? 0 : Math.round(record.position),
    Disabled: record.state === "published" ? 0 : 1,
    CustomFields: {
      ...(await toRtValues(io, articleFields, record.customFields)),
      [bodyField]: spelled("body", record.body).text,
    },
  };
};

const writeOne = async (io: RtIo, write: Write<Article>): Promise<Outcome<Article>> => {
  const { key, record } = write;
  const fields = await articleOf(io, write);
  const Class = await classOf(io, record);
  if (Class === null)
    return {
      kind: "rejected",
      code: "no_class",
      message: "Request Tracker has no class for articles.",
    };
  const other = `${shortened(fields.Name, maxName - key.length - 3)} (${key})`;
  let { id } = write;
  let title = fields.Name;
  let classId = Class;
  if (id === null) {
    const Name = (await isTaken(io, fields.Name, Class)) ? other : fields.Name;
    title = Name;
    id = (await tell(io, "POST", "article", { ...fields, Name, Class }, idRow)).id;
  } else {
    const [row] = await askArticles(io, [id]);
    if (keyIn(row?.Summary) !== key)
      return { kind: "rejected", code: "not_ours", message: "This import did not create this article." };
    const { Name, ...rest } = fields;
    if (row?.Name === other) title = other;
    classId = row?.Class.id ?? Class;
    await tell(io, "PUT", `article/${id}`, title === other ? rest : { ...rest, Name }, z.unknown());
  }
  const [row] = await askArticles(io, [id]);
  if (!row) return { kind: "unknown", why: "Request Tracker took the article but does not show it." };
  const { [bodyField]: body, ...custom } = fields.CustomFields;
  const sent = await toArticle(
    {
      ...row,
      ...fields,
      Name: title,
      Class: { id: classId },
      CustomFields: [
        ...Object.entries(custom).map(([field, value]) => ({ id: field, name: "", values: [value].flat() })),
        { id: "", name: bodyField, values: [body] },
      ],
    },
    io,
  );
  const changes = changesOnTheWay(helpdesk.articles, record, sent, reasons);
  return { kind: "written", id, record: await toArticle(row, io), changes };
};

const isThere = ({ Summary }: ArticleRow) => !removed.test(Summary ?? "");

export const articlesDestination: DestinationStream<Article, RtSettings> = {
  stream: helpdesk.articles,
  batchSize: 10,
  idempotency: "lookup",
  guarantees: ["silent"],
  drops: [
    {
      field: "createdAt",
      change: "cleared",
      why: "Request Tracker sets it itself; the summary names the original.",
    },
    { field: "updatedAt", change: "cleared", why: "Request Tracker sets it itself." },
    {
      field: "author",
      change: "cleared",
      why: "Request Tracker sets it itself; the summary names the original.",
    },
    { field: "tags", change: "cleared", why: "Request Tracker has no tags; the summary names them." },
  ],
  async find(io, asked) {
    const limits = asked.map(({ key }) => ({ field: "Summary", operator: "LIKE", value: markerOf(key) }));
    const found = new Map<string, string[]>();
    for (const { id, Summary } of await askWholeList(io, { ...articleQuestion, limits })) {
      const key = keyIn(Summary);
      if (key !== null) found.set(key, [...(found.get(key) ?? []), String(id)]);
    }
    return found;
  },
  async write(io, batch) {
    const outcomes: Outcome<Article>[] = [];
    for (const write of batch)
      outcomes.push(await writeRecord(io, write, (watched) => writeOne(watched, write)));
    return outcomes;
  },
  async read(io, ids) {
    const rows = (await askArticles(io, ids)).filter(isThere);
    const found = new Map(
      await Promise.all(rows.map(async (row) => [String(row.id), await toArticle(row, io)] as const)),
    );
    return ids.map((id) => found.get(id) ?? null);
  },
  remove: (io, what) =>
    Promise.all(
      what.map(({ id, key }) =>
        removeRecord(async () => {
          const [row] = await askArticles(io, [id]);
          if (!row || !isThere(row)) return { kind: "removed" };
          if (keyIn(row.Summary) !== key) return otherKey;
          const gone = { Name: `removed ${id}`, Summary: `removed (portage-removed:${key})`, Disabled: 1 };
          await tell(io, "PUT", `article/${id}`, { ...gone, CustomFields: { [bodyField]: "" } }, z.unknown());
          return { kind: "removed" };
        }),
      ),
    ),
  customFields: async (io) =>
    (await customFieldsOf(articleFields)(io)).filter(({ label }) => label !== bodyField),
  fieldSetup: articleFieldSetup,
  urlOf: articleUrl,
};
