import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { operatorBase } from "../../http/operator/base.ts";
import { isLoopback } from "../../platform/is-loopback.ts";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { invalidCall, type OperatorClient, refusedCall, type ClientCall } from "./operator-call.ts";

/** Where `portage login` keeps the token: a token per address, so that it goes nowhere else. */
const tokenFile = (env: NodeJS.ProcessEnv): string =>
  join(env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? homedir(), ".config"), "portage", "operator.json");

type Tokens = Readonly<Record<string, string>>;

const readTokens = async (file: string): Promise<Tokens> => {
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0)
      throw new CommandError("token_file_open", `Others can read ${file}.`, {
        fix: `Run: chmod 600 ${file}`,
      });
    return JSON.parse(await readFile(file, "utf8")) as Tokens;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return {};
    throw error;
  }
};

export const saveToken = async (
  env: NodeJS.ProcessEnv,
  url: string,
  token: string | null,
): Promise<string> => {
  const file = tokenFile(env);
  const { [url]: _, ...others } = await readTokens(file);
  const tokens = token === null ? others : { ...others, [url]: token };
  if (Object.keys(tokens).length === 0) {
    await rm(file, { force: true });
    return file;
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600 });
  // The mode of writeFile counts only for a new file.
  await chmod(file, 0o600);
  return file;
};

const explain = (sent: ClientCall, status: number, json: unknown, requestId: string | null): CommandError => {
  const { error } = (json ?? {}) as { error?: { code: string; message: string } };
  const log = requestId === null ? "" : ` (request ${requestId})`;
  if (error)
    return refusedCall(sent, {
      code: error.code,
      message: `${error.message}${log}`,
      fix: status === 401 ? "Sign in again: portage login < token-file" : null,
    });
  if (status === 422) return invalidCall(sent, json as Record<string, string[]>);
  return new CommandError("operator_api", `The operator API answered ${status}${log}.`);
};

/** How often to wait for the rate limit, a second each. */
const maxWaits = 10;

export const createClient = (fetcher: typeof fetch, url: string, token: string): OperatorClient => {
  if (!url.startsWith("https:") && !isLoopback(new URL(url).hostname))
    throw new CommandError(
      "insecure",
      "PORTAGE_OPERATOR_URL must be https: the token would be readable on the way.",
    );
  const send = (path: string, request: RequestInit) =>
    fetcher(`${url}${operatorBase}${path}`, request).catch((error: unknown) => {
      throw new CommandError(
        "operator_api_unreachable",
        `The operator API can't be reached at ${url}: ${String(error)}.`,
        {
          fix: "Correct PORTAGE_OPERATOR_URL; or unset it, to work on the database.",
        },
      );
    });
  return async <T>(path: string, sent: ClientCall = {}) => {
    const { method = "GET", body } = sent;
    const request: RequestInit = {
      method,
      redirect: "error",
      headers: {
        authorization: `Bearer ${token}`,
        ...(method !== "GET" && { "content-type": "application/json", "idempotency-key": randomUUID() }),
      },
      ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
    };
    let answered = await send(path, request);
    // Refused before anything was done: a script of many commands waits instead of failing.
    for (let again = 0; answered.status === 429 && again < maxWaits; again += 1) {
      await wait(Number(answered.headers.get("retry-after") ?? 1) * 1_000);
      answered = await send(path, request);
    }
    const json: unknown = await answered.json().catch(() => null);
    if (!answered.ok) throw explain(sent, answered.status, json, answered.headers.get("x-request-id"));
    return json as T;
  };
};

/** The client of this user; null: PORTAGE_OPERATOR_URL is not set, so that the command works on the database. */
export const findClient = async (operator: Operator): Promise<OperatorClient | null> => {
  const { PORTAGE_OPERATOR_URL: url } = operator.config("PORTAGE_OPERATOR_URL");
  if (url === undefined) return null;
  const token = (await readTokens(tokenFile(operator.needs.env())))[url];
  if (token === undefined)
    throw new CommandError("not_signed_in", `You are not signed in at ${url}.`, {
      fix: "Run: portage login < token-file; or unset PORTAGE_OPERATOR_URL, to work on the database.",
    });
  return createClient(operator.needs.fetch, url, token);
};
