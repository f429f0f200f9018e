import { chunkService, publicUrlKey } from "./chunk-key.ts";

const patienceMs = 10_000;
const timedOut = "no_answer_in_time";

export class AdminError extends Error {
  readonly code: string;
  constructor(what: string, code: string, cause?: unknown) {
    super(`Restate's admin API failed to ${what}: ${code}`, { cause });
    this.code = code;
  }
}

export interface Deployment {
  readonly id: string;
  readonly uri: string;
}

/** Whether Restate can use an address, and why not, as far as it reports it. */
export type Reached =
  /** `publicUrl`: of the installation whose work it does; null: its release does not say. */
  | { readonly kind: "answers"; readonly publicUrl: string | null }
  /** The worker expects the signature of another key. */
  | { readonly kind: "refuses" }
  | { readonly kind: "silent"; readonly why: string };

/** The engine's client of Restate's admin API: which workers are registered, and which one gets new chunks. */
export interface Admin {
  /** Every deployment that serves chunks. */
  list(): Promise<readonly Deployment[]>;
  /** The deployment that gets new chunks. */
  current(): Promise<Deployment | undefined>;
  /** Registers a deployment; if it is registered already, only `force` makes it the current one. */
  register(uri: string, options?: { readonly force: boolean }): Promise<Deployment>;
  /** Makes Restate call the worker at this address, with its usual signature. Changes nothing. */
  reach(uri: string): Promise<Reached>;
  /** How many unfinished invocations are pinned to the deployment. */
  unfinished(id: string): Promise<number>;
  remove(id: string): Promise<void>;
}

interface Listed {
  readonly deployments: readonly (Deployment & { readonly services: readonly { readonly name: string }[] })[];
}

/** What the worker says of its services at the moment, not when it was registered. */
interface Discovered {
  readonly services: readonly {
    readonly name: string;
    readonly metadata?: Readonly<Record<string, string>>;
  }[];
}

export const createAdmin = (url: string, fetchUrl: typeof fetch = fetch): Admin => {
  const ask = async (what: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetchUrl(`${url}${path}`, {
      ...init,
      headers: { "content-type": "application/json", accept: "application/json" },
      signal: AbortSignal.timeout(patienceMs),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const code = (cause as { code?: unknown } | null)?.code;
      if (error instanceof DOMException && error.name === "TimeoutError")
        throw new AdminError(what, timedOut, error);
      throw new AdminError(what, typeof code === "string" ? code : "unreachable", error);
    });
  const need = async <T>(what: string, response: Response): Promise<T> => {
    if (response.ok) return (await response.json()) as T;
    await response.body?.cancel();
    throw new AdminError(what, `status_${response.status}`);
  };
  const post = (what: string, path: string, body: object) =>
    ask(what, path, { method: "POST", body: JSON.stringify(body) });

  const list = async () => {
    const what = "list deployments";
    const { deployments } = await need<Listed>(what, await ask(what, "/deployments"));
    return deployments
      .filter(({ services }) => services.some(({ name }) => name === chunkService))
      .map(({ id, uri }) => ({ id, uri: uri.replace(/\/$/, "") }));
  };

  return {
    list,
    current: async () => {
      const what = "find the current deployment";
      const response = await ask(what, `/services/${chunkService}`);
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      const { deployment_id: id } = await need<{ deployment_id: string }>(what, response);
      return (await list()).find((deployment) => deployment.id === id);
    },
    register: async (uri, { force } = { force: false }) => {
      const what = "register a deployment";
      const { id } = await need<{ id: string }>(what, await post(what, "/deployments", { uri, force }));
      return { id, uri };
    },
    reach: async (uri) => {
      const response = await post("reach a worker", "/deployments", {
        uri,
        force: true,
        dry_run: true,
      }).catch((error: unknown) => {
        if (error instanceof AdminError && error.code === timedOut) return undefined;
        throw error;
      });
      // Restate keeps waiting for an address that drops packets.
      if (!response) return { kind: "silent", why: "no answer in time" };
      if (response.ok) {
        const { services = [] } = (await response.json().catch(() => ({}))) as Partial<Discovered>;
        const chunks = services.find(({ name }) => name === chunkService);
        return { kind: "answers", publicUrl: chunks?.metadata?.[publicUrlKey] ?? null };
      }
      const { message = "" } = (await response.json().catch(() => ({}))) as { message?: string };
      return message.includes("status code '401")
        ? { kind: "refuses" }
        : { kind: "silent", why: message.slice(0, 300) };
    },
    unfinished: async (id) => {
      const what = "count invocations";
      const query = `select count(*) as n from sys_invocation where pinned_deployment_id = '${id}' and status <> 'completed'`;
      const { rows } = await need<{ rows: readonly { n: number }[] }>(
        what,
        await post(what, "/query", { query }),
      );
      return rows[0]?.n ?? 0;
    },
    remove: async (id) => {
      const response = await ask("remove a deployment", `/deployments/${id}?force=true`, {
        method: "DELETE",
      });
      await response.body?.cancel();
      if (!response.ok && response.status !== 404)
        throw new AdminError("remove a deployment", `status_${response.status}`);
    },
  };
};
