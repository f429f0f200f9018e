import { keyAtEnd } from "@portage/connector-kit";
import { filesNamed } from "../../../connectors/zendesk/texts.ts";
import type { Zendesk } from "../../vendors/zendesk/stand-in.ts";
import type { CopiedRow } from "../proxied/proxied-destination.ts";

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, "");

const saidIn = ({ tables }: Zendesk) =>
  tables.tickets.live().flatMap(({ data }) =>
    data.comments.map((comment) => ({
      ...comment,
      key: keyAtEnd(plain(comment.html_body)),
      // The first comment of a ticket may be its text, and a file that came late has a comment of its own.
      isOwn:
        keyAtEnd(plain(comment.html_body)) !== data.external_id && !comment.html_body.startsWith("\n<hr>"),
    })),
  );

const peopleIn = ({ tables }: Zendesk, isAgent: boolean) =>
  tables.users
    .live()
    .filter(({ data, written }) => written && (data.role !== "end-user") === isAgent)
    .map(({ data, createdAt }) => ({
      key: data.external_id,
      words: isAgent ? (data.email ?? "") : data.name,
      text: isAgent ? "" : data.tags.join(" "),
      madeAt: createdAt,
    }));

const rowsIn: Readonly<Record<string, (zendesk: Zendesk) => readonly CopiedRow[]>> = {
  users: (zendesk) => peopleIn(zendesk, true),
  organizations: ({ tables }) =>
    tables.organizations.live().map(({ data, createdAt }) => ({
      key: data.external_id,
      words: data.name,
      text: data.tags.join(" "),
      madeAt: createdAt,
    })),
  contacts: (zendesk) => peopleIn(zendesk, false),
  groups: ({ tables }) =>
    tables.groups.live().map(({ data, createdAt }) => ({
      key: keyAtEnd(data.description),
      words: data.name,
      text: "",
      madeAt: createdAt,
    })),
  tickets: ({ tables }) =>
    tables.tickets.live().map(({ data, touchedAt }) => ({
      key: data.external_id,
      words: data.subject ?? "",
      // A closed ticket stays as it is.
      text: data.status === "closed" ? "" : data.tags.join(" "),
      madeAt: touchedAt,
    })),
  comments: (zendesk) =>
    saidIn(zendesk)
      .filter(({ isOwn }) => isOwn)
      .map(({ key, html_body: words, createdAt }) => ({ key, words, text: "", madeAt: createdAt })),
  attachments: (zendesk) =>
    saidIn(zendesk).flatMap(({ attachments, html_body: html, createdAt }) =>
      attachments.map((id) => ({
        key: filesNamed(plain(html)).get(id)?.digest ?? null,
        words: zendesk.tables.attachmentWire(id).file_name,
        text: "",
        madeAt: createdAt,
      })),
    ),
};

export const zendeskStreams: readonly string[] = Object.keys(rowsIn);

export const readZendeskCopies = (zendesk: Zendesk, stream: string): readonly CopiedRow[] =>
  rowsIn[stream]?.(zendesk) ?? [];

export const countZendeskCopies = (zendesk: Zendesk): number =>
  zendeskStreams.reduce(
    (sum, stream) => sum + readZendeskCopies(zendesk, stream).filter(({ key }) => key !== null).length,
    0,
  );
