import { ConnectorError } from "@portage/connector-kit";
import { sessionOf } from "./ask.ts";
import type { ZnunyIo } from "./settings.ts";

/**
 * The unchanged bytes of a file, from the page that agents download it from: the web service gives files only as base64
 * and all of a ticket at once. A session of the web service is an agent's session.
 */
export const downloadFile = async (
  io: ZnunyIo,
  ticket: string | number,
  article: string | number,
  file: string,
) => {
  const session = await sessionOf(io);
  const query = `Action=AgentTicketAttachment;TicketID=${ticket};ArticleID=${article};FileID=${file}`;
  const cookie = ["OTRSAgentInterface", "ZnunyAgentInterface"].map((name) => `${name}=${session}`).join("; ");
  const answer = await io.http.download({ url: `index.pl?${query}`, headers: { cookie } });
  // Znuny shows its pages for errors and for signing in with the status 200.
  if (/^attachment|^inline/i.test(answer.headers["content-disposition"] ?? "")) return answer.body;
  for await (const _ of answer.body);
  throw new ConnectorError({
    recovery: "skip-record",
    code: "not_found",
    message: "Znuny no longer has this file, or does not let the agent download it.",
  });
};

export const downloadText = async (
  io: ZnunyIo,
  ticket: number,
  article: number,
  file: string,
): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await downloadFile(io, ticket, article, file)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
};
