import { type DestinationStream, helpdesk, type SourceStream } from "@portage/connector-kit";
import { expect, test } from "vitest";
import type { ChunkContext } from "../chunk/chunk-context.ts";
import { makeResult } from "./make-result.ts";

const comment = helpdesk.comments.make({
  id: "5",
  ticketId: "12",
  visibility: "internal",
  body: { format: "plain", text: "Hello." },
  tags: ["a"],
});

const drop = (field: string) => ({ field, change: "cleared", why: "It has no such field." }) as const;

const connector = { manifest: { hosts: (settings: string) => ({ api: [settings] }) } };

const ctx = {
  lease: { stream: "comments" },
  source: { settings: "https://old.example", connector },
  destination: { settings: "https://new.example", connector },
  streams: [
    {
      name: "comments",
      from: {
        stream: helpdesk.comments,
        urlOf: (settings: string, { id }: { id: string }) => `${settings}/${id}`,
      } as unknown as SourceStream,
      to: {
        stream: helpdesk.comments,
        drops: ["tags", "customFields", "visibility", "author.email"].map(drop),
        urlOf: (settings: string, { id, parentId }: { id: string; parentId?: string }) =>
          `${settings}/${parentId}/${id}`,
      } as unknown as DestinationStream,
    },
  ],
} as unknown as ChunkContext;

const outcome = {
  sourceId: "5",
  state: "written" as const,
  reason: null,
  destId: "105",
  runNumber: 1,
  message: null,
  source: comment,
  written: { ...comment, ticketId: "112" },
  destination: { ...comment, id: "105", ticketId: "112" },
  changes: [{ field: "visibility", change: "converted", why: "It knows no notes." }],
} as const;

test("a result names its parent, where both records are, and all losses", () => {
  const { parent, content } = makeResult(ctx, outcome);
  expect(parent).toEqual({ stream: "tickets", id: "12" });
  expect(content.sourceUrl).toBe("https://old.example/5");
  expect(content.destinationUrl).toBe("https://new.example/112/105");
  // Changes of this record come before general ones; a field it did not have is no loss.
  expect(content.changes).toEqual([outcome.changes[0], drop("tags")]);
});

test("a record that was never written lost nothing, and there is nothing to open", () => {
  const { content } = makeResult(ctx, {
    ...outcome,
    state: "failed" as const,
    destId: null,
    written: null,
    destination: null,
    changes: [],
  });
  expect(content).toMatchObject({ changes: [], destinationUrl: null, sourceUrl: "https://old.example/5" });
});
