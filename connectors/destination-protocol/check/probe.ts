import { randomBytes } from "node:crypto";
import type { FamilyStream } from "@portage/connector-kit";
import type { Transport } from "@portage/connector-kit/http";
import { protocolError, type Described } from "@portage/contract/destination-protocol";
import { signatureHeaders } from "@portage/contract/signing";
import type { Settings } from "../settings.ts";

/** A call to send, with deliberate faults. */
export interface OddCall {
  readonly path: string;
  /** The signed content. */
  readonly content: string;
  /** The body to send, if it differs from the signed content; null: no body. */
  readonly body?: string | null;
  readonly secret?: string;
  readonly at?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly unsigned?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Shared by the probes: how to call the destination, and its description. */
export interface Probing {
  readonly settings: Settings;
  readonly description: Described;
  /** A stream that the destination accepts and whose records need no others. */
  readonly plain: FamilyStream;
  send(call: OddCall): Promise<Answered>;
}

export const newId = () => `probe_${randomBytes(16).toString("hex")}`;

export const createSend =
  (transport: Transport, settings: Settings): Probing["send"] =>
  async ({ path, content, body = content, secret = settings.token, at = Date.now(), headers, unsigned }) => {
    const signatures = signatureHeaders({
      secrets: [secret],
      id: newId(),
      timestampSeconds: Math.floor(at / 1000),
      content,
    });
    const answer = await transport.send({
      url: `${settings.instanceUrl.replace(/\/+$/, "")}${path}`,
      method: "POST",
      headers: { "content-type": "application/json", ...(unsigned ? {} : signatures), ...headers },
      body,
      limits: { maxBytes: 1_048_576, totalMs: 60_000, maxRedirects: 0 },
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return { status: answer.status, text: Buffer.concat(chunks).toString("utf8") };
  };

/** Why an answer is not the expected refusal; null: it is. */
export const notRefused = ({ status, text }: Answered, wanted: number): string | null => {
  if (status !== wanted) return `It answered ${status} instead of ${wanted}.`;
  try {
    protocolError.parse(JSON.parse(text));
    return null;
  } catch {
    return `It answered ${status} without {"error":{"code","message"}}.`;
  }
};

/** One check of the destination; `run` returns what is wrong, or null. */
export interface Probe {
  readonly name: string;
  readonly shows: string;
  run(probing: Probing): Promise<string | null>;
}

export const callText = (call: string, fields: object = {}, timestamp = Date.now()): string =>
  JSON.stringify({ call, timestamp, ...fields });

/** Whether the stream's records need no other records. */
export const standsAlone = ({ kind, relations }: FamilyStream): boolean =>
  kind === "record" && Object.values(relations).every(({ missing }) => missing === "clear");
