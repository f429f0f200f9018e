import { longestDrainMs } from "../server/src/main/worker-processes.ts";
import { namesWithFile } from "../server/src/main/secret-files.ts";
import { workerFlags } from "../server/src/main/worker-flags.ts";
import { readCompose, type Service } from "./compose-file.ts";

/** The names that an example environment file documents, also those that it shows as comments. */
export const documentedNames = (envExample: string): readonly string[] =>
  [...envExample.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = ""]) => name);

const interpolated = (text: string): readonly string[] =>
  [...text.matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map(([, name = ""]) => name);

const secretNames = [...namesWithFile, "PORTAGE_KEYS"];

/** The variable that a file stands for. */
const withoutFile = (name: string): string => secretNames.find((secret) => name === `${secret}_FILE`) ?? name;

const loopback = /^127\.0\.0\.1:[^:]+(:-[^:}]*\})?:\d+$/;

const serviceProblems = (name: string, service: Service): string[] => {
  const problems: string[] = [];
  if (!service.build && !/:[^:/]*\d[^:/]*$/.test(service.image ?? ""))
    problems.push("its image is not pinned");
  for (const port of service.ports ?? [])
    if (!loopback.test(port)) problems.push(`port ${port} is published beyond loopback`);
  for (const secret of secretNames)
    if (secret in (service.environment ?? {}))
      problems.push(`has ${secret} in its environment, where inspect shows it: pass ${secret}_FILE`);
  if ("PORTAGE_OPERATOR_URL" in (service.environment ?? {}))
    problems.push(
      "has PORTAGE_OPERATOR_URL, so that commands in it ask for a sign-in: it is for people's own machines",
    );
  if (!service.security_opt?.includes("no-new-privileges:true")) problems.push("may gain privileges");
  if (service.build) {
    if (service.read_only !== true) problems.push("its root file system is writable");
    if (!service.tmpfs?.includes("/tmp")) problems.push("has no /tmp of its own");
    if (!service.cap_drop?.includes("ALL")) problems.push("keeps capabilities");
    const command = service.command ?? [];
    if (command.some((word) => word.endsWith("/worker.ts")))
      for (const flag of workerFlags)
        if (!command.includes(flag)) problems.push(`starts a worker without ${flag}`);
  }
  return problems.map((problem) => `${name}: ${problem}`);
};

const workerProblems = ({ restate, worker }: Readonly<Record<string, Service>>): string[] => {
  const problems: string[] = [];
  const keyFile = restate?.environment?.RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE;
  if (!restate?.secrets?.some((name) => keyFile === `/run/secrets/${name}`))
    problems.push("restate: does not sign its calls");
  if (!worker) return [...problems, "worker: there is none"];
  if (!worker.environment?.RESTATE_IDENTITY_KEYS_FILE)
    problems.push("worker: answers anybody who reaches it");
  if (worker.ports) problems.push("worker: publishes ports that are for Restate alone");
  if (
    !worker.healthcheck?.test?.some((word) =>
      word.includes(`:${worker.environment?.WORKER_HEALTH_PORT}/readyz`),
    )
  )
    problems.push("worker: has no health check of its own");
  if (Number.parseInt(worker.stop_grace_period ?? "10s", 10) * 1_000 <= longestDrainMs)
    problems.push("worker: is killed while it drains");
  if (worker.depends_on?.migrate?.condition !== "service_completed_successfully")
    problems.push("worker: starts before the schema is there");
  return problems;
};

/** What is wrong with a compose file, and with the file that documents its environment. */
export const composeProblems = (text: string, envExample: string): readonly string[] => {
  const { services } = readCompose(text);
  const problems = Object.entries(services).flatMap(([name, service]) => serviceProblems(name, service));

  const ours = Object.values(services).filter(({ build }) => build);
  const passed = new Set([
    ...interpolated(text),
    ...ours.flatMap(({ environment = {} }) => Object.keys(environment).map(withoutFile)),
  ]);
  const documented = new Set(documentedNames(envExample));
  for (const name of passed) if (!documented.has(name)) problems.push(`${name} is passed but not documented`);
  for (const name of documented) if (!passed.has(name)) problems.push(`${name} is documented but not passed`);

  if (!services.postgres?.healthcheck?.test) problems.push("postgres: has no health check");
  if (services.restate?.ports) problems.push("restate: publishes ports that ask for no password");
  if (services.restate?.environment?.RESTATE_DISABLE_TELEMETRY !== "true")
    problems.push("restate: reports home");
  if (services.migrate?.depends_on?.postgres?.condition !== "service_healthy")
    problems.push("migrate: does not wait for the database");
  if (services.api?.depends_on?.migrate?.condition !== "service_completed_successfully")
    problems.push("api: starts before the schema is there");
  const urlOf = (name: string) => services[name]?.environment?.["DATABASE_URL_FILE"];
  for (const name of ["api", "worker"])
    if (urlOf(name) === urlOf("migrate")) problems.push(`${name}: connects as the owner of the tables`);
  if (!services.migrate?.environment?.["PORTAGE_RUNTIME_ROLE"])
    problems.push("migrate: does not let the service's role in");
  return [...problems, ...workerProblems(services)];
};
