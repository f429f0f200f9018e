import type { WizardPreview } from "@portage/contract/wizard";
import { type Unsent, previewNames, shownFields, webAddress } from "../represent.ts";
import { isConnectorError } from "../../../features/tools/index.ts";
import { z } from "zod";
import type { ImportRecord } from "../../../features/imports/index.ts";
import { maxPreviewed, type Previewed, previewRecord } from "../../../features/mapping/index.ts";
import type { OpenRunSide } from "../../../features/runs/index.ts";
import { invalid, ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { decidedIn, type FindMatching } from "./matching.ts";
import { maxMappingBytes, readMapping } from "./read-mapping.ts";

interface Needs {
  readonly findMatching: FindMatching;
  readonly openSide: OpenRunSide;
}

const body = z.object({
  stream: z.string({ error: "must be the name of a stream" }).max(100).optional(),
  id: z.string({ error: "must be the id of a record" }).min(1).max(512).optional(),
  url: z
    .string({ error: "must be the address of a record" })
    .min(1, { error: "must be the address of a record" })
    .max(4_000, { error: "is too long" })
    .optional(),
  at: z
    .int({ error: `must be a number from 0 to ${maxPreviewed - 1}` })
    .min(0)
    .max(maxPreviewed - 1)
    .optional(),
  mapping: z.unknown().optional(),
});

/** The customer waits for the response. */
const patienceMs = 20_000;

type PreviewRequest = z.infer<typeof body>;

/** Finds the stream and the record, by name or by address; nullish: the address shows no record. */
const findSource = async (
  openSide: OpenRunSide,
  { id: importId, family }: ImportRecord,
  asked: PreviewRequest,
) => {
  const opened = await openSide({ importId, side: "source", runId: null });
  if (opened.kind === "missing") throw new Problem("conflict", "Connect the old tool first.");
  const { connector, settings } = opened;
  const named = asked.url === undefined ? asked : connector.recordAt?.(settings, asked.url, family);
  const source = connector.source?.[family]?.find(({ stream }) => stream.name === named?.stream);
  return source && { opened, source, id: named?.id };
};

const noSuchSource = ({ url }: PreviewRequest) =>
  url === undefined
    ? invalid({ stream: ["does not exist in the old tool"] })
    : invalid({ url: ["is not the address of a record in the old tool"] });

const inTime = async (signal: AbortSignal, preview: () => Promise<Previewed>): Promise<Previewed> => {
  try {
    return await preview();
  } catch (error) {
    if (isConnectorError(error) && error.recovery === "reauthorize")
      throw new Problem("conflict", "The old tool does not accept the sign-in any more. Connect it again.");
    if (isConnectorError(error) && error.recovery === "skip-record") return { kind: "missing" };
    if (isConnectorError(error) || signal.aborted)
      throw new Problem("unavailable", "The old tool does not answer now. Try again in a moment.");
    throw error;
  }
};

/** Previews one record field by field, with the saved mapping or with an unsaved one. */
export const showPreview = ({ findMatching, openSide }: Needs): WizardRoute<z.infer<typeof body>> => ({
  method: "POST",
  path: "/mapping/preview",
  body,
  maxBodyBytes: maxMappingBytes,
  handle: async ({ import: found, body: asked }) => {
    const matching = await findMatching(found.id);
    const read =
      asked.mapping === undefined
        ? { kind: "valid" as const, mapping: decidedIn(matching) }
        : readMapping(asked.mapping, matching.facts);
    if (read.kind === "invalid") return read.answer;
    const there = await findSource(openSide, found, asked);
    if (!there) return noSuchSource(asked);
    const { opened, source, id } = there;
    const signal = AbortSignal.timeout(patienceMs);
    const needs = {
      source,
      io: opened.io(signal),
      mapping: read.mapping,
      names: previewNames(matching.facts),
    };
    const which = id === undefined ? { at: asked.at ?? 0 } : { id };
    const previewed = await inTime(signal, () => previewRecord(needs, which));
    if (previewed.kind === "missing")
      throw new Problem(
        "not_found",
        id === undefined ? "Choose a record to show." : "The old tool has no such record.",
      );
    const { before, fields, of } = previewed;
    return ok({
      stream: source.stream.name,
      id: before.id,
      of,
      ...shownFields(fields),
      sourceUrl: webAddress(source.urlOf?.(opened.settings, before)),
    } satisfies Unsent<WizardPreview>);
  },
});
