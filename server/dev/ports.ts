import { createServer } from "node:net";

/** Listens briefly: returns the port, or undefined if another process uses it. */
const tryPort = (port: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(undefined);
      else reject(error);
    });
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });

/** The wanted port if it is free, otherwise any free one. */
export const freePort = async (wanted: number): Promise<number> => {
  const port = (await tryPort(wanted)) ?? (await tryPort(0));
  if (port === undefined) throw new Error("No free port on 127.0.0.1.");
  return port;
};

export interface Ports {
  readonly api: number;
  readonly restateIngress: number;
  readonly restateAdmin: number;
  readonly restateNode: number;
  readonly worker: number;
  readonly workerHealth: number;
}

const usual = {
  PORT: 3000,
  WORKER_PORT: 9080,
  WORKER_HEALTH_PORT: 9081,
  RESTATE_INGRESS_PORT: 8080,
  RESTATE_ADMIN_PORT: 9070,
  RESTATE_NODE_PORT: 5122,
};

/** The default ports, or those of the environment; a port in use is replaced by a free one. */
export const choosePorts = async (env: NodeJS.ProcessEnv): Promise<Ports> => {
  const choose = (name: keyof typeof usual) => {
    const wanted = Number(env[name] || usual[name]);
    if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
      throw new Error(`${name} must be a port: a number up to 65535.`);
    return freePort(wanted);
  };
  return {
    api: await choose("PORT"),
    restateIngress: await choose("RESTATE_INGRESS_PORT"),
    restateAdmin: await choose("RESTATE_ADMIN_PORT"),
    restateNode: await choose("RESTATE_NODE_PORT"),
    worker: await choose("WORKER_PORT"),
    workerHealth: await choose("WORKER_HEALTH_PORT"),
  };
};
