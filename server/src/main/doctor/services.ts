import { type DoctorFinding, doctorOk, problem, warning } from "./finding.ts";
import { isAtLeast, readOne } from "./local.ts";

const patienceMs = 3_000;
const oldestRestate = "1.7.0";

const get = async (fetchUrl: typeof fetch, url: string): Promise<Response | string> => {
  try {
    const response = await fetchUrl(url, { signal: AbortSignal.timeout(patienceMs) });
    return response.ok ? response : `answers ${response.status}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = (cause as { code?: unknown } | null)?.code;
    return typeof code === "string" ? `does not answer (${code})` : "does not answer";
  }
};

export const checkRestateIngress = async (
  fetchUrl: typeof fetch,
  env: NodeJS.ProcessEnv,
): Promise<readonly DoctorFinding[]> => {
  const url = readOne("RESTATE_INGRESS_URL", env);
  if (url === undefined) return [];
  const answer = await get(fetchUrl, `${url}/restate/health`);
  return typeof answer === "string"
    ? [problem("Restate ingress", `${url} ${answer}`, "Start Restate, or correct RESTATE_INGRESS_URL.")]
    : [doctorOk("Restate ingress", url)];
};

export const checkRestateAdmin = async (
  fetchUrl: typeof fetch,
  env: NodeJS.ProcessEnv,
): Promise<readonly DoctorFinding[]> => {
  const part = "Restate admin";
  const url = readOne("RESTATE_ADMIN_URL", env);
  if (url === undefined) return [];
  const answer = await get(fetchUrl, `${url}/version`);
  if (typeof answer === "string")
    return [problem(part, `${url} ${answer}`, "Start Restate, or correct RESTATE_ADMIN_URL.")];
  const { version } = (await answer.json().catch(() => ({}))) as { version?: unknown };
  if (typeof version !== "string")
    return [problem(part, `${url} is not Restate`, "Set RESTATE_ADMIN_URL to Restate's admin address.")];
  return isAtLeast(version, oldestRestate)
    ? [doctorOk(part, `${url}, version ${version}`)]
    : [problem(part, `version ${version} is too old`, `Upgrade Restate to ${oldestRestate} or newer.`)];
};

/** Only a warning: the operator may run the doctor before starting the API. */
export const checkApi = async (
  fetchUrl: typeof fetch,
  env: NodeJS.ProcessEnv,
): Promise<readonly DoctorFinding[]> => {
  const publicUrl = readOne("PUBLIC_URL", env);
  if (publicUrl === undefined) return [];
  const url = `${publicUrl}/readyz`;
  const answer = await get(fetchUrl, url);
  return typeof answer === "string"
    ? [
        warning(
          "API",
          `${url} ${answer}`,
          "Start it (node server/src/main/api.ts), or check the proxy in front of it.",
        ),
      ]
    : [doctorOk("API", `${url} is ready`)];
};
