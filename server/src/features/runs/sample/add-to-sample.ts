import { isConnectorError } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Database } from "../../../platform/db.ts";
import type { OpenSide } from "../chunk/chunk-context.ts";
import { createSourceReader } from "./source-reader.ts";
import { insertAdded } from "./store-review.ts";

export interface AddNeeds {
  readonly db: Database;
  readonly openSide: OpenSide;
}

export interface ToAdd {
  readonly importId: string;
  readonly family: Family;
  /** As a person copied it from the browser. */
  readonly url: string;
  /** The streams that this import copies: a record of another one would be read for nothing. */
  readonly includes: (stream: string) => boolean;
}

export type Added =
  | { readonly kind: "added"; readonly stream: string; readonly id: string }
  /** The tool has no way to tell which record an address shows. */
  | { readonly kind: "not_supported" }
  /** It is no address of a record, or one of another tool or instance. */
  | { readonly kind: "not_recognised" }
  /** It is of a kind that is not copied. */
  | { readonly kind: "not_included"; readonly stream: string }
  /** There is no such record, or this sign-in may not see it. */
  | { readonly kind: "not_found" }
  /** Somebody must connect the old tool, or sign in again. */
  | { readonly kind: "not_connected" }
  /** The old tool does not answer now. */
  | { readonly kind: "unavailable" }
  | { readonly kind: "full"; readonly most: number }
  /** A sample is being made right now. */
  | { readonly kind: "busy" };

/** A sample is for looking at: nobody looks at more than that by hand. */
const mostAdded = 20;
const longestCallMs = 20_000;

/** Puts a record into the sample by its address; it is copied by the next sample, and by every later one. */
export const createAddToSample =
  ({ db, openSide }: AddNeeds) =>
  async ({ importId, family, url, includes }: ToAdd, signal: AbortSignal): Promise<Added> => {
    const opened = await openSide({ importId, side: "source", runId: null });
    if (opened.kind === "missing") return { kind: "not_connected" };
    const { connector, settings } = opened;
    if (!connector.recordAt) return { kind: "not_supported" };
    const at = connector.recordAt(settings, url, family);
    if (!at) return { kind: "not_recognised" };
    const source = connector.source?.[family]?.find(({ stream }) => stream.name === at.stream);
    if (!source) return { kind: "not_recognised" };
    if (!includes(at.stream)) return { kind: "not_included", stream: at.stream };
    const io = opened.io(AbortSignal.any([signal, AbortSignal.timeout(longestCallMs)]));
    try {
      const found = await createSourceReader([source], io).byIds(at.stream, [at.id]);
      if (!found.some(({ id }) => id === at.id)) return { kind: "not_found" };
    } catch (error) {
      if (!isConnectorError(error)) throw error;
      return { kind: error.recovery === "reauthorize" ? "not_connected" : "unavailable" };
    }
    const kind = await insertAdded(db, importId, at, mostAdded);
    if (kind === "full") return { kind, most: mostAdded };
    return kind === "busy" ? { kind } : { kind, stream: at.stream, id: at.id };
  };
