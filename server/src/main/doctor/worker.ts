import { AdminError, createAdmin } from "../../engine/admin.ts";
import { isLoopback } from "../../platform/is-loopback.ts";
import { type DoctorFinding, doctorOk, problem, warning } from "./finding.ts";
import { readOne } from "./local.ts";

const part = "worker";
const startIt = "Start a worker (node server/src/main/worker.ts), or check its log.";

/** Checks that a worker is registered with Restate, is reachable from it and accepts its signature. */
export const checkWorker = async (
  fetchUrl: typeof fetch,
  env: NodeJS.ProcessEnv,
): Promise<readonly DoctorFinding[]> => {
  const url = readOne("RESTATE_ADMIN_URL", env);
  if (url === undefined) return [];
  const admin = createAdmin(url, fetchUrl);
  try {
    const current = await admin.current();
    // Only a warning: the operator may run the doctor before starting the worker.
    if (!current) return [warning(part, "Restate has no registered worker", startIt)];
    const reached = await admin.reach(current.uri);
    switch (reached.kind) {
      case "answers":
        return [doctorOk(part, `${current.uri} is registered and answers Restate`)];
      case "refuses":
        return [
          problem(
            part,
            `${current.uri} rejects Restate's signature`,
            'Set RESTATE_IDENTITY_KEYS to the output of "portage restate key" for the key file of Restate.',
          ),
        ];
      case "silent":
        return [warning(part, `${current.uri} is registered, but Restate can't reach it`, startIt)];
    }
  } catch (error) {
    // checkRestateAdmin reports problems of Restate itself.
    if (error instanceof AdminError) return [];
    throw error;
  }
};

/** A worker executes every call that it accepts, so it must accept calls of Restate only. */
export const checkIdentity = (env: NodeJS.ProcessEnv): readonly DoctorFinding[] => {
  const keys = readOne("RESTATE_IDENTITY_KEYS", env);
  const host = readOne("WORKER_HOST", env);
  const url = readOne("WORKER_URL", env);
  if (keys === undefined || host === undefined) return [];
  if (keys.length > 0) return [doctorOk("request identity", `required; keys configured: ${keys.length}`)];
  const hosts = [host, ...(url === undefined ? [] : [new URL(url).hostname])];
  return hosts.every(isLoopback)
    ? [doctorOk("request identity", "not required: the worker is on loopback")]
    : [
        problem(
          "request identity",
          "the worker accepts unsigned calls from any client that reaches its port",
          "Create a key for Restate (portage restate key FILE) and set RESTATE_IDENTITY_KEYS.",
        ),
      ];
};
