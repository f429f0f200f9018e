import { isConnectorError } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Database } from "../../../platform/db.ts";
import type { OpenRunSide } from "../chunk/chunk-context.ts";
import { createSourceReader } from "./source-reader.ts";
import { insertAdded } from "./store-review.ts";

export interface AddNeeds {
  readonly db: Database;
  readonly openSide: OpenRunSide;
}

export interface ToAdd {
  readonly importId: string;
  readonly family: Family;
  /** As a person copied it from the browser. */
  readonly url: string;
  /** The streams that this import copies: reading a record of another one would be futile. */
  readonly includes: (stream: string) => boolean;
}

export type Added =
  | { readonly kind: "added"; readonly stream: string; readonly id: string }
  /** The tool can't tell which record an address shows. */
  | { readonly kind: "not_supported" }
  /** Not the address of a record, or one of another tool or instance. */
  | { readonly kind: "not_recognised" }
  /** Its kind is not copied. */
  | { readonly kind: "not_included"; readonly stream: string }
  /** There is no such record, or this sign-in may not see it. */
  | { readonly kind: "not_found" }
  /** A person must connect the old tool, or sign in again. */
  | { readonly kind: "not_connected" }
  /** The old tool does not answer now. */
  | { readonly kind: "unavailable" }
  | { readonly kind: "full"; readonly most: number }
  /** A sample is being made right now. */
  | { readonly kind: "busy" };

/** A person reviews the sample by hand: more would not be looked at. */
const maxAdded = 20;
const longestCallMs = 20_000;

/** Adds a record to the sample by its address; the next sample copies it, and every later one. */
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
    const kind = await insertAdded(db, importId, at, maxAdded);
    if (kind === "full") return { kind, most: maxAdded };
    return kind === "busy" ? { kind } : { kind, stream: at.stream, id: at.id };
  };
