import { randomBytes } from "node:crypto";
import type { FamilyStream } from "@portage/connector-kit";
import type { Transport } from "@portage/connector-kit/http";
import { protocolError, type Described } from "@portage/contract/destination-protocol";
import { signatureHeaders } from "@portage/contract/signing";
import type { Settings } from "../settings.ts";

/** A call as it is to be sent: whatever is odd about it is odd on purpose. */
export interface OddCall {
  readonly path: string;
  /** What is signed. */
  readonly content: string;
  /** What is sent instead, where that differs; null: nothing. */
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

/** What the probes share: the way to the destination, and what it said of itself. */
export interface Probing {
  readonly settings: Settings;
  readonly description: Described;
  /** A stream that it takes and that needs no other record. */
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

/** Why an answer is not the refusal that it should be; null: it is. */
export const notRefused = ({ status, text }: Answered, wanted: number): string | null => {
  if (status !== wanted) return `It answered ${status} instead of ${wanted}.`;
  try {
    protocolError.parse(JSON.parse(text));
    return null;
  } catch {
    return `It answered ${status} without {"error":{"code","message"}}.`;
  }
};

/** One thing to find out; `run` answers what is wrong, or null. */
export interface Probe {
  readonly name: string;
  readonly shows: string;
  run(probing: Probing): Promise<string | null>;
}

export const callText = (call: string, fields: object = {}, timestamp = Date.now()): string =>
  JSON.stringify({ call, timestamp, ...fields });

/** Whether its records need no other. */
export const standsAlone = ({ kind, relations }: FamilyStream): boolean =>
  kind === "record" && Object.values(relations).every(({ missing }) => missing === "clear");
