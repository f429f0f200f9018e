import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { noteSecret } from "./leaked-secrets.ts";
import { basic } from "./partners.ts";
import { patienceMs } from "./patience.ts";

export interface CreatedImport {
  readonly id: string;
  readonly token: string;
}

/** The partner API's answer for an import: records in the destination, by stream. */
export interface ImportStatus {
  readonly status: string;
  readonly items: Readonly<Record<string, number>>;
}

/** A partner's application that retries, since the API may be down. */
export const createPartnerClient = (apiUrl: string, token: string) => {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const giveUpAt = performance.now() + patienceMs;
    const key = randomUUID();
    for (;;) {
      const answer = await fetch(`${apiUrl}/api/v2.1${path}`, {
        method,
        headers: {
          authorization: basic(token),
          ...(body && { "content-type": "application/json" }),
          "idempotency-key": key,
        },
        ...(body && { body: JSON.stringify(body) }),
      }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        (error: unknown) => ({ status: 0, text: String(error) }),
      );
      if (answer.status >= 200 && answer.status < 300) return JSON.parse(answer.text || "null") as T;
      const isDown = answer.status === 0 || answer.status === 429 || answer.status >= 500;
      if (!isDown || performance.now() > giveUpAt)
        throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      await sleep(500);
    }
  };
  return {
    createImport: async (body: object) => {
      const made = await ask<CreatedImport>("POST", "/imports", body);
      noteSecret("a customer's link", made.token);
      return made;
    },
    showImport: (id: string) => ask<ImportStatus>("GET", `/imports/${id}`),
    cancelImport: (id: string) => ask<null>("POST", `/imports/${id}/cancel`),
  };
};
