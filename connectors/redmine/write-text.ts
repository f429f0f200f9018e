import type { RichText } from "@portage/connector-kit";
import { convertRichText, rewriteReferences } from "@portage/connector-kit/rich-text";
import { userByLogin } from "./catalog.ts";
import { pageUrl, parseAttachmentId, parsePageId } from "./names.ts";
import { isQuiet } from "./quiet.ts";
import type { RedmineIo } from "./settings.ts";

const addressOf = (io: RedmineIo, url: string, to: { stream: string; id: string }): string | null => {
  const base = io.settings.instanceUrl.replace(/\/+$/, "");
  if (to.stream === "tasks" || to.stream === "tickets")
    return url.startsWith("#") ? `#${to.id}` : `${base}/issues/${to.id}`;
  const page = parsePageId(to.id);
  if (page && (to.stream === "wikiPages" || to.stream === "articles"))
    return url.startsWith("[[") ? null : `${base}/${pageUrl(page.projectId, page.title)}`;
  const file = to.stream === "attachments" ? parseAttachmentId(to.id) : null;
  // Redmine resolves a bare file name on the file's own record; any other reference needs a URL.
  return file && /^[a-z][a-z0-9+.-]*:|\//i.test(url)
    ? `${base}/attachments/download/${file.attachmentId}`
    : null;
};

/** The text with its references pointing to the copies, still in its own format. */
const withReferences = (io: RedmineIo, { format, text, references }: RichText): string => {
  const addresses = new Map<string, string>();
  const marks = new Map<string, string>();
  for (const { url, to } of references) {
    const address = to ? addressOf(io, url, to) : null;
    if (address === null || address === url) continue;
    (url.startsWith("#") ? marks : addresses).set(url, address);
  }
  const linked = rewriteReferences({ format, text }, addresses);
  return linked.replace(/(?<![\w&#/.-])#\d{1,9}(?![\w-])/g, (mark) => marks.get(mark) ?? mark);
};

const mention = /(^|[^\w])@([A-Za-z0-9_@.-]{1,60})/g;

/** Redmine mails each user mentioned with an @. Written as an entity it looks the same and sends no mail. */
const withoutMentions = async (io: RedmineIo, text: string): Promise<string> => {
  if (io.settings.notifications === "off" || !text.includes("@")) return text;
  const named = new Set([...text.matchAll(mention)].map(([, , login]) => login ?? ""));
  const loud = new Set<string>();
  for (const login of named) {
    // Punctuation can follow a login or be part of it.
    const spellings = [login, login.replace(/[@._-]+$/, "")].filter((each) => each !== "");
    for (const spelling of named.size > 20 ? [] : spellings) {
      const user = await userByLogin(io, spelling);
      if (user && !isQuiet(user)) loud.add(login);
    }
    if (named.size > 20) loud.add(login);
  }
  return text.replace(mention, (all, before: string, login: string) =>
    loud.has(login) ? `${before}&#64;${login}` : all,
  );
};

/** A text in this instance's format, safe to store, that sends no mail. */
export const writeText = async (io: RedmineIo, rich: RichText | null): Promise<string> => {
  if (rich === null) return "";
  const { format } = rich;
  const to = io.settings.textFormat;
  const linked = withReferences(io, rich);
  const text = format === to ? linked : convertRichText({ format, text: linked }, to).text;
  // PostgreSQL can't store NUL in a text.
  return withoutMentions(io, text.replaceAll("\u0000", ""));
};

/** Our line in the instance's format, with < escaped: Redmine would interpret some tags in it. */
export const writeLine = async (io: RedmineIo, line: string): Promise<string> =>
  (await writeText(io, { format: "plain", text: line, references: [] }))
    .replaceAll("\\<", "<")
    .replaceAll("<", "&lt;");
