import { AdminError, createAdmin } from "../../engine/admin.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import { loopback, readOne } from "./local.ts";

const part = "worker";
const startIt = "Start it (node server/src/main/worker.ts), or look at its log.";

/** Whether Restate has a worker to give chunks to, can reach it, and is believed there. */
export const checkWorker = async (
  fetchUrl: typeof fetch,
  env: NodeJS.ProcessEnv,
): Promise<readonly Finding[]> => {
  const url = readOne("RESTATE_ADMIN_URL", env);
  if (url === undefined) return [];
  const admin = createAdmin(url, fetchUrl);
  try {
    const current = await admin.current();
    // No more than a warning: an operator may well ask the doctor before the worker is started.
    if (!current) return [warning(part, "Restate knows none", startIt)];
    const reached = await admin.reach(current.uri);
    switch (reached.kind) {
      case "answers":
        return [ok(part, `${current.uri} is registered and answers Restate`)];
      case "refuses":
        return [
          problem(
            part,
            `${current.uri} does not believe Restate's signature`,
            'Set RESTATE_IDENTITY_KEYS to what "portage restate key" prints for the key file that Restate is given.',
          ),
        ];
      case "silent":
        return [warning(part, `${current.uri} is registered, but Restate can't reach it`, startIt)];
    }
  } catch (error) {
    // What is wrong with Restate is a finding of its own.
    if (error instanceof AdminError) return [];
    throw error;
  }
};

/** A worker does what whoever calls it says. */
export const checkIdentity = (env: NodeJS.ProcessEnv): readonly Finding[] => {
  const keys = readOne("RESTATE_IDENTITY_KEYS", env);
  const host = readOne("WORKER_HOST", env);
  const url = readOne("WORKER_URL", env);
  if (keys === undefined || host === undefined) return [];
  if (keys.length > 0) return [ok("request identity", `asked for; keys known: ${keys.length}`)];
  const hosts = [host, ...(url === undefined ? [] : [new URL(url).hostname])];
  return hosts.every((each) => loopback.has(each))
    ? [ok("request identity", "none asked for; the worker is on loopback")]
    : [
        problem(
          "request identity",
          "anybody who reaches the worker's port can call it",
          "Make a key for Restate (portage restate key FILE) and set RESTATE_IDENTITY_KEYS.",
        ),
      ];
};
