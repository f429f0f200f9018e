import { setTimeout as sleep } from "node:timers/promises";
import { patienceMs } from "./patience.ts";

/** Every path of the customer's API that proofs use, in one place. */
const paths = {
  show: "",
  connection: (side: Side) => `/connections/${side}`,
  runs: "/runs",
  report: "/report",
  progress: "/progress",
};

export type Side = "source" | "destination";
export type RunKind = "sample" | "full" | "delta" | "retry_failed" | "undo";

export interface ShownImport {
  readonly status: { readonly code: string };
  readonly warnings: readonly { readonly code: string }[];
}

/** The part of a live run that proofs read. */
export interface ShownProgress {
  readonly step: string;
  readonly done: number;
  readonly total: number;
}

/** The result of one stream, summed over all reasons. */
export interface ReportedStream {
  readonly stream: string;
  readonly source: number;
  readonly written: number;
  readonly matched: number;
  readonly skipped: number;
  readonly failed: number;
}

export class CustomerError extends Error {
  readonly status: number;
  constructor(what: string, status: number, text: string) {
    super(`${what}: ${status} ${text}`);
    this.status = status;
  }
}

export interface CustomerClient {
  show(): Promise<ShownImport>;
  connect(side: Side, settings: object): Promise<void>;
  startRun(kind: RunKind): Promise<void>;
  /** Null while no run is live. */
  progress(): Promise<ShownProgress | null>;
  /** Null before the first completed copy. */
  report(): Promise<readonly ReportedStream[] | null>;
  /** Waits until the import has one of these statuses; calls `isOver` in between, which may throw. */
  untilStatus(
    codes: readonly string[],
    isOver: (shown: ShownImport) => void | Promise<void>,
  ): Promise<ShownImport>;
}

const pollMs = 500;

type Causes = readonly { readonly count: number }[];
interface StreamJson {
  readonly stream: string;
  readonly source: number;
  readonly written: number;
  readonly matched: number;
  readonly skipped: Causes;
  readonly failed: Causes;
}

const total = (causes: Causes) => causes.reduce((sum, { count }) => sum + count, 0);

const readReport = (body: unknown): readonly ReportedStream[] =>
  (body as { streams: readonly StreamJson[] }).streams.map(
    ({ stream, source, written, matched, skipped, failed }) => ({
      stream,
      source,
      written,
      matched,
      skipped: total(skipped),
      failed: total(failed),
    }),
  );

/** The customer at the wizard, without a browser. It retries, since the API may be down for a while. */
export const createCustomerClient = (
  apiUrl: string,
  { id, token }: { readonly id: string; readonly token: string },
): CustomerClient => {
  const once = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${apiUrl}/wizard/api/imports/${id}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(30_000),
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  /** Retries while the API is unreachable or overloaded. */
  const ask = async (method: string, path: string, body?: object) => {
    const giveUpAt = performance.now() + patienceMs;
    for (;;) {
      const answer = await once(method, path, body).catch((error: unknown) => ({
        status: 0,
        text: String(error),
      }));
      const isDown = answer.status === 0 || answer.status === 429 || answer.status >= 500;
      if (!isDown || performance.now() > giveUpAt) return answer;
      await sleep(250);
    }
  };
  const need = async (what: string, method: string, path: string, body?: object) => {
    const { status, text } = await ask(method, path, body);
    if (status < 200 || status > 299) throw new CustomerError(what, status, text);
    return text === "" ? null : (JSON.parse(text) as unknown);
  };
  const show = async () => (await need("show the import", "GET", paths.show)) as ShownImport;
  return {
    show,
    async connect(side, settings) {
      await need(`connect the ${side}`, "PUT", paths.connection(side), { settings });
    },
    async startRun(kind) {
      const { status, text } = await ask("POST", paths.runs, { kind });
      // An attempt whose answer was lost may have started it.
      if (status === 409 || (status === 422 && (await show()).status.code.endsWith("in_progress"))) return;
      if (status < 200 || status > 299) throw new CustomerError(`start ${kind}`, status, text);
    },
    async progress() {
      const { progress } = (await need("read the progress", "GET", paths.progress)) as {
        progress: ShownProgress | null;
      };
      return progress;
    },
    async report() {
      const { status, text } = await ask("GET", paths.report);
      if (status === 404) return null;
      if (status !== 200) throw new CustomerError("read the report", status, text);
      return readReport(JSON.parse(text));
    },
    async untilStatus(codes, isOver) {
      for (;;) {
        const shown = await show();
        if (codes.includes(shown.status.code)) return shown;
        await isOver(shown);
        await sleep(pollMs);
      }
    },
  };
};
