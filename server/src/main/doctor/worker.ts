import { type Admin, AdminError, createAdmin } from "../../engine/admin.ts";
import { isLoopback } from "../../platform/is-loopback.ts";
import { type DoctorFinding, doctorOk, problem, warning } from "./finding.ts";
import { readOne } from "./local.ts";

const part = "worker";
const startIt = "Start a worker (node server/src/main/worker.ts), or check its log.";

/** Workers that another installation registered with the same Restate, as far as they answer and say so. */
const judgeOthers = async (admin: Admin, ours: string | undefined): Promise<readonly DoctorFinding[]> => {
  const looked = await Promise.all(
    (await admin.list()).map(async ({ uri }) => ({ uri, reached: await admin.reach(uri) })),
  );
  return looked.flatMap(({ uri, reached }) => {
    const theirs = reached.kind === "answers" ? reached.publicUrl : null;
    return theirs === null || ours === undefined || theirs === ours
      ? []
      : [
          problem(
            part,
            `this Restate also has ${uri}, a worker of the installation at ${theirs}: the one that registers last gets the work of both`,
            `Start a Restate for this installation alone, and set RESTATE_ADMIN_URL and RESTATE_INGRESS_URL to it. If ${theirs} is an old PUBLIC_URL of this one, restart its workers.`,
          ),
        ];
  });
};

const judgeCurrent = async (admin: Admin): Promise<DoctorFinding> => {
  const current = await admin.current();
  // Only a warning: the operator may run the doctor before starting the worker.
  if (!current) return warning(part, "Restate has no registered worker", startIt);
  const reached = await admin.reach(current.uri);
  switch (reached.kind) {
    case "answers":
      return doctorOk(part, `${current.uri} is registered and answers Restate`);
    case "refuses":
      return problem(
        part,
        `${current.uri} rejects Restate's signature`,
        'Set RESTATE_IDENTITY_KEYS to the output of "portage restate key" for the key file of Restate.',
      );
    case "silent":
      return warning(part, `${current.uri} is registered, but Restate can't reach it`, startIt);
  }
};

/** Checks that a worker is registered with Restate, is reachable from it and accepts its signature, and that no other installation's is. */
export const checkWorker = async (
  fetchUrl: typeof fetch,
  env: NodeJS.ProcessEnv,
): Promise<readonly DoctorFinding[]> => {
  const url = readOne("RESTATE_ADMIN_URL", env);
  if (url === undefined) return [];
  const admin = createAdmin(url, fetchUrl);
  try {
    const others = await judgeOthers(admin, readOne("PUBLIC_URL", env));
    return others.length > 0 ? others : [await judgeCurrent(admin)];
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
