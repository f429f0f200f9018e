import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ComposeFile, fillIn, type HealthCheck, readCompose, type Service } from "../compose-file.ts";
import { podman, tryPodman } from "./engine.ts";

export interface CompositionNeeds {
  /** The first decides where relative paths begin; a later one adds to the earlier ones. */
  readonly files: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly project: string;
}

export interface Composition {
  readonly file: ComposeFile;
  containerOf(service: string): string;
  networkOf(name: string): string;
  /** Starts these services, or all, and what they depend on; resolves when all of them are healthy. */
  up(services?: readonly string[]): Promise<void>;
  /** Whether its health check passes now; a service without one is healthy while it runs. */
  isHealthy(service: string): boolean;
  /** Resolves when the service is healthy in another process than this one. */
  untilRestarted(service: string, before: number): Promise<void>;
  /** Runs a command in a service's container; the result is what it printed. */
  exec(service: string, ...command: readonly string[]): string;
  /** Runs a command in a container of its own that is like the service's, and removes it. */
  run(service: string, ...command: readonly string[]): string;
  logs(): string;
  /** Stops and removes the containers and networks, but for the services to keep; with `volumes`, the data too. */
  down(options?: { readonly volumes?: boolean; readonly keep?: readonly string[] }): void;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** As Compose merges files: maps are joined, lists appended, all else replaced. */
const merge = (a: unknown, b: unknown): unknown => {
  if (Array.isArray(a) && Array.isArray(b)) return [...(a as unknown[]), ...(b as unknown[])];
  if (!isMap(a) || !isMap(b)) return b;
  return {
    ...a,
    ...Object.fromEntries(
      Object.entries(b).map(([key, value]) => [key, key in a ? merge(a[key], value) : value]),
    ),
  };
};

const seconds = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : Number.parseFloat(text) * (text.endsWith("m") ? 60 : 1);

/** Only ends a start that hangs: a loaded machine may take many times what a health check allows. */
const patienceMs = 300_000;

const all = (flag: string, values: readonly string[] = []): string[] =>
  values.flatMap((value) => [flag, value]);

/**
 * Does with podman what `docker compose up --wait` does with the same files, as far as deploy/ uses it. Debian's own
 * Compose programs are too old for these files, and without systemd podman runs no health checks: this asks them itself.
 */
export const createComposition = ({ files, variables, project }: CompositionNeeds): Composition => {
  const folder = dirname(resolve(files[0] ?? ""));
  const file = files
    .map((each) => readCompose(fillIn(readFileSync(each, "utf8"), variables)))
    .reduce((a, b) => merge(a, b) as ComposeFile);
  const { services } = file;
  const serviceOf = (name: string): Service => {
    const service = services[name];
    if (!service) throw new Error(`There is no service ${name}.`);
    return service;
  };
  const containerOf = (service: string) => `${project}-${service}-1`;
  const networkOf = (name: string) => `${project}_${name}`;

  const networkFlags = (name: string, { networks = ["default"], network_mode: mode }: Service) => {
    if (mode !== undefined) return ["--network", mode];
    const each = Array.isArray(networks)
      ? (networks as readonly string[]).map((network) => [network, []] as const)
      : Object.entries(networks as Record<string, { aliases?: string[] } | null>).map(
          ([network, settings]) => [network, settings?.aliases ?? []] as const,
        );
    return each.flatMap(([network, aliases]) => [
      "--network",
      `${networkOf(network)}:${[name, ...aliases].map((alias) => `alias=${alias}`).join(",")}`,
    ]);
  };
  const volume = (text: string) => {
    const [source = "", ...rest] = text.split(":");
    const from = source in (file.volumes ?? {}) ? `${project}_${source}` : resolve(folder, source);
    return [from, ...rest].join(":");
  };
  // as Compose does: a bind mount, with the owner and mode that the file has
  const secret = (name: string) =>
    `${resolve(folder, file.secrets?.[name]?.file ?? "")}:/run/secrets/${name}:ro`;
  const one = (flag: string, value: string | number | undefined) =>
    value === undefined ? [] : [flag, String(value)];

  /** What every container of a service has, whatever it runs. */
  const flagsOf = (name: string, service: Service): readonly string[] => [
    // asked from outside: without systemd there are no timers
    "--no-healthcheck",
    "--hostname",
    name,
    ...networkFlags(name, service),
    ...all(
      "--env",
      Object.entries(service.environment ?? {}).map(([key, value]) => `${key}=${value ?? ""}`),
    ),
    ...all("--volume", [...(service.volumes ?? []).map(volume), ...(service.secrets ?? []).map(secret)]),
    ...(service.read_only ? ["--read-only", "--read-only-tmpfs=false"] : []),
    ...all("--tmpfs", service.tmpfs),
    ...all("--cap-drop", service.cap_drop),
    ...all("--cap-add", service.cap_add),
    ...all(
      "--security-opt",
      service.security_opt?.map((option) => option.replace(/:true$/, "")),
    ),
    ...one("--user", service.user),
    ...one("--memory", service.mem_limit),
    ...one("--shm-size", service.shm_size),
    ...one("--pids-limit", service.pids_limit),
    ...one("--stop-timeout", service.stop_grace_period && seconds(service.stop_grace_period, 10)),
  ];
  const create = (name: string): void => {
    const service = serviceOf(name);
    podman(
      "run",
      "--detach",
      "--name",
      containerOf(name),
      ...flagsOf(name, service),
      ...all("--publish", service.ports),
      ...one("--restart", service.restart),
      service.image ?? "",
      ...(service.command ?? []),
    );
  };

  const imageHealth = (image: string): HealthCheck | undefined => {
    const found = JSON.parse(
      podman("image", "inspect", image, "--format", "{{json .Config.Healthcheck}}"),
    ) as {
      Test: readonly string[];
    } | null;
    return found ? { test: found.Test } : undefined;
  };
  const healthOf = ({ healthcheck, image = "" }: Service) =>
    healthcheck?.disable ? undefined : (healthcheck ?? imageHealth(image));
  const state = (name: string) =>
    tryPodman("inspect", containerOf(name), "--format", "{{.State.Status}} {{.State.ExitCode}}").text.trim();
  const pidOf = (name: string) =>
    Number(tryPodman("inspect", containerOf(name), "--format", "{{.State.Pid}}").text);
  const isHealthy = (name: string): boolean => {
    if (!state(name).startsWith("running")) return false;
    const [kind, ...words] = healthOf(serviceOf(name))?.test ?? [];
    if (kind === undefined) return true;
    return (
      tryPodman("exec", containerOf(name), ...(kind === "CMD" ? words : ["sh", "-c", ...words])).status === 0
    );
  };

  const until = async (what: string, name: string, isSo: () => boolean): Promise<void> => {
    const giveUpAt = performance.now() + patienceMs;
    while (!isSo()) {
      if (performance.now() > giveUpAt)
        throw new Error(
          `${name} is not ${what}; it is ${state(name)}:\n${tryPodman("logs", "--tail", "30", containerOf(name)).text}`,
        );
      await sleep(500);
    }
  };
  const untilHealthy = (name: string) => until("healthy", name, () => isHealthy(name));
  const untilDone = (name: string) =>
    until("done", name, () => {
      const now = state(name);
      if (/^exited [1-9]/.test(now))
        throw new Error(`${name} failed (${now}):\n${tryPodman("logs", containerOf(name)).text}`);
      return now === "exited 0";
    });

  const runsOnce = ({ restart }: Service) => restart === "no";
  const start = async (name: string, started: Set<string>): Promise<void> => {
    if (started.has(name)) return;
    started.add(name);
    for (const [other, { condition }] of Object.entries(serviceOf(name).depends_on ?? {})) {
      await start(other, started);
      if (condition === "service_healthy") await untilHealthy(other);
      if (condition === "service_completed_successfully") await untilDone(other);
    }
    if (tryPodman("container", "exists", containerOf(name)).status !== 0) create(name);
    else if (!state(name).startsWith("running")) podman("start", containerOf(name));
  };

  return {
    file,
    containerOf,
    networkOf,
    isHealthy,
    untilRestarted: (name, before) =>
      until("healthy again", name, () => pidOf(name) !== before && isHealthy(name)),
    async up(names = Object.keys(services)) {
      for (const [network, settings] of Object.entries(file.networks ?? {}))
        if (tryPodman("network", "exists", networkOf(network)).status !== 0)
          podman(
            "network",
            "create",
            "--opt",
            "isolate=true",
            ...(settings?.internal ? ["--internal"] : []),
            networkOf(network),
          );
      const started = new Set<string>();
      for (const name of names) await start(name, started);
      for (const name of started) await (runsOnce(serviceOf(name)) ? untilDone(name) : untilHealthy(name));
    },
    exec: (service, ...command) => podman("exec", containerOf(service), ...command),
    run(name, ...command) {
      const service = serviceOf(name);
      return podman("run", "--rm", ...flagsOf(name, service), service.image ?? "", ...command);
    },
    logs: () =>
      Object.keys(services)
        .map((name) => tryPodman("logs", containerOf(name)).text)
        .join("\n"),
    down({ volumes = false, keep = [] } = {}) {
      const removed = Object.keys(services).filter((name) => !keep.includes(name));
      for (const name of removed.toReversed()) {
        tryPodman("stop", containerOf(name));
        tryPodman("rm", "--force", containerOf(name));
      }
      for (const network of Object.keys(file.networks ?? {})) tryPodman("network", "rm", networkOf(network));
      if (volumes)
        for (const each of Object.keys(file.volumes ?? {})) tryPodman("volume", "rm", `${project}_${each}`);
    },
  };
};

/** The variables of an environment file as Compose reads it: NAME=value, without quotes. */
export const readEnvFile = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
