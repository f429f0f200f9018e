import {
  helpdesk,
  inDoubt,
  keyIn,
  markerOf,
  mayDiffer,
  notHeld,
  originLine,
  recordStream,
  rejected,
  truncateBytes,
  withMarker,
  type Write,
} from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { articleFieldSetup } from "./field-setup.ts";
import {
  type Article,
  articleCustomFields,
  articleQuestion,
  type ArticleRow,
  askArticles,
  bodyField,
  toArticle,
} from "./articles-source.ts";
import { askWholeList, tell } from "./ask.ts";
import { spelled } from "./comments-destination.ts";
import { articleFields, toRtValues } from "./custom-fields.ts";
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

const idRow = z.object({ id: z.string() });

/** RT treats the name "0" as no name. */
const articleName = (title: string): string => {
  const trimmed = truncateBytes(title.replace(/\s+/g, " ").trim(), maxName - 8);
  return trimmed === "" || trimmed === "0" ? `Article ${trimmed}`.trim() : trimmed;
};

const articleOf = async (io: RtIo, { key, record }: Write<Article>) => {
  const origin = originLine({
    also: { Author: record.author, Tags: record.tags, Created: record.createdAt, Path: record.path },
  });
  return {
    Name: articleName(record.title),
    Summary: withMarker(origin, key, maxName, truncateBytes),
    SortOrder: record.position === null ? 0 : Math.round(record.position),
    Disabled: record.state === "published" ? 0 : 1,
    CustomFields: {
      ...(await toRtValues(io, articleFields, record.customFields)),
      [bodyField]: spelled("body", record.body).text,
    },
  };
};

type Fields = Awaited<ReturnType<typeof articleOf>>;

/** For a title that another article of the class has. */
const otherName = ({ Name }: Fields, key: string) =>
  `${truncateBytes(Name, maxName - key.length - 3)} (${key})`;

const written = async (io: RtIo, id: string, { CustomFields, ...fields }: Fields, classId: string) => {
  const [row] = await askArticles(io, [id]);
  if (!row) return inDoubt("Request Tracker took the article but does not show it.");
  const { [bodyField]: body, ...custom } = CustomFields;
  const values = Object.entries(custom).map(([field, value]) => ({
    id: field,
    name: "",
    values: [value].flat(),
  }));
  const sent = {
    ...row,
    ...fields,
    Class: { id: classId },
    CustomFields: [...values, { id: "", name: bodyField, values: [body] }],
  };
  return { row, sent };
};

export const articlesDestination = recordStream<Article, ArticleRow, RtSettings>({
  stream: helpdesk.articles,
  batchSize: 10,
  guarantees: ["silent"],
  holds: {
    createdAt: notHeld("Request Tracker sets it itself; the summary names the original."),
    updatedAt: notHeld("Request Tracker sets it itself."),
    author: notHeld("Request Tracker sets it itself; the summary names the original."),
    tags: notHeld("Request Tracker has no tags; the summary names them."),
    title: mayDiffer("Titles are unique in their class and have at most 255 bytes."),
    path: mayDiffer(
      "Articles in Request Tracker are in one class, made by an administrator; the summary names the path.",
    ),
    state: mayDiffer("Articles in Request Tracker are either enabled or disabled."),
    locale: mayDiffer("Articles in Request Tracker have no language."),
    position: mayDiffer("Request Tracker orders articles by whole numbers other than 0."),
    body: mayDiffer(
      "Request Tracker detects plain text and HTML by their content, and has one kind of line end.",
    ),
    customFields: mayDiffer("Articles in Request Tracker have no such field."),
  },
  key: {
    kind: "field",
    of: ({ Summary }) => keyIn(Summary),
    find(io, keys) {
      const limits = keys.map((key) => ({ field: "Summary", operator: "LIKE", value: markerOf(key) }));
      return askWholeList(io, { ...articleQuestion, limits });
    },
  },
  id: ({ id }) => String(id),
  byIds: async (io, ids) =>
    (await askArticles(io, ids)).filter(({ Summary }) => !removed.test(Summary ?? "")),
  toRecord: toArticle,
  async create(io, write) {
    const fields = await articleOf(io, write);
    const Class = await classOf(io, write.record);
    if (Class === null) return rejected("no_class", "Request Tracker has no class for articles.");
    const isOther = await isTaken(io, fields.Name, Class);
    const named = isOther ? { ...fields, Name: otherName(fields, write.key) } : fields;
    const { id } = await tell(io, "POST", "article", { ...named, Class }, idRow);
    return written(io, id, named, Class);
  },
  async change(io, write, { id, Name: name, Class }) {
    const fields = await articleOf(io, write);
    const Name = name === otherName(fields, write.key) ? name : fields.Name;
    const { Name: _, ...others } = fields;
    await tell(io, "PUT", `article/${id}`, Name === name ? others : fields);
    return written(io, String(id), { ...fields, Name }, Class.id);
  },
  async remove(io, { id, Summary }) {
    const mark = `removed (portage-removed:${keyIn(Summary)})`;
    const gone = { Name: `removed ${id}`, Summary: mark, Disabled: 1, CustomFields: { [bodyField]: "" } };
    await tell(io, "PUT", `article/${id}`, gone);
  },
  customFields: articleCustomFields,
  fieldSetup: articleFieldSetup,
  urlOf: urlOf("articles"),
});
