import { join } from "node:path";
import type { LeashedProcess } from "./leashed-process.ts";
import { timed } from "./set-up-times.ts";
import { type ServerProcessOptions, spawnServer, untilReady } from "./server-process.ts";

const name = "The API";
const ownProgram = join(import.meta.dirname, "../../server/src/main/api.ts");

export interface ApiProcess extends LeashedProcess {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  readonly port: number;
}

/** With a log file, `env` must contain PORT. */
export interface ApiProcessOptions extends ServerProcessOptions {
  /** That of another release. */
  readonly program?: string;
}

const addressIn = (line: string): string | undefined =>
  line.includes('"listening"') ? (JSON.parse(line) as { address: string }).address : undefined;

const start = async (options: ApiProcessOptions): Promise<ApiProcess> => {
  const env = { HOST: "127.0.0.1", PORT: "0", ...options.env };
  const child = spawnServer({ program: ownProgram, ...options, name, env });
  const url = options.logFile ? `http://127.0.0.1:${env.PORT}` : await child.firstLine(addressIn);
  await untilReady(name, child, `${url}/readyz`);
  return { ...child, url, port: Number(new URL(url).port) };
};

/** Starts the API as an operator would, on a free port of loopback, and waits until it is ready. */
export const startApiProcess = (options: ApiProcessOptions): Promise<ApiProcess> =>
  timed("API process", () => start(options));
