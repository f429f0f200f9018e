import { pageUrl, parsePageId } from "../../../connectors/redmine/names.ts";
import { type RedmineApi, redmineApi } from "./redmine-api.ts";
import type { RedmineServer } from "./redmine-server.ts";

type Rows = readonly { readonly id: number; readonly notes?: string; readonly filename?: string }[];

const remark = "Thank you!";
const fileName = "theirs.txt";

const uploaded = async (api: RedmineApi) => ({
  token: await api.upload(fileName, new Uint8Array(Buffer.from("Theirs"))),
  filename: fileName,
});

const isFiled = ({ attachments = [] }: { readonly attachments?: Rows }) =>
  attachments.some(({ filename }) => filename === fileName);

const onIssue = async (api: RedmineApi, id: string) => {
  await api.put(`issues/${id}.json`, { issue: { notes: remark } });
  return async () => {
    const { issue } = await api.get(`issues/${id}.json?include=journals`);
    return (issue.journals as Rows).some(({ notes }) => notes === remark);
  };
};

const onPage = async (api: RedmineApi, id: string) => {
  const place = parsePageId(id);
  if (!place) throw new Error(`No page ${id}.`);
  const url = `${pageUrl(place.projectId, place.title)}.json`;
  const { wiki_page: page } = await api.get(url);
  await api.put(url, { wiki_page: { text: page.text, uploads: [await uploaded(api)] } });
  return async () => isFiled((await api.get(`${url}?include=attachments`)).wiki_page);
};

const onVersion = async (api: RedmineApi, id: string) => {
  const { version } = await api.get(`versions/${id}.json`);
  const url = `projects/${version.project.id}/files.json`;
  await api.post(url, { file: { ...(await uploaded(api)), version_id: id } });
  return async () => {
    const { files } = (await api.get(url)) as { files: { version?: { id: number } }[] };
    return files.some((file) => String(file.version?.id) === id);
  };
};

/** Adds something to a copy, as people do. */
export const addToRedmine = (server: RedmineServer) => {
  const api = redmineApi(server);
  return async (stream: string, id: string): Promise<(() => Promise<boolean>) | null> => {
    if (stream === "tickets" || stream === "tasks") return onIssue(api, id);
    if (stream === "articles" || stream === "wikiPages") return onPage(api, id);
    return stream === "versions" ? onVersion(api, id) : null;
  };
};
