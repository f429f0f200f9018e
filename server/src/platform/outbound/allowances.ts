import { isLoopback } from "../is-loopback.ts";

/** The hosts and ports that the operator allows although they are private or without TLS. */
export type Allowances = ReadonlySet<string>;

const form = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):([0-9]{1,5}|\*)$/i;

/** Any port is for this machine in development: config.ts refuses it for a service that others can reach. */
export const isWildcard = (entry: string): boolean => entry.endsWith(":*");

/** Parses `host:port` entries; an entry without a port, a range, or a wildcard beyond loopback is an error. */
export const readAllowances = (entries: readonly string[]): Allowances =>
  new Set(
    entries.map((entry) => {
      const [, host, port] = form.exec(entry.trim()) ?? [];
      // The URL parser normalizes hosts, so that an entry and a request compare equal.
      const { hostname } = new URL(host ? `http://${host}/` : "http://none.invalid/");
      if (host && port === "*" && isLoopback(hostname)) return `${hostname}:*`;
      if (!host || !(Number(port) >= 1 && Number(port) <= 65_535))
        throw new Error(`"${entry}" is not an exact host and port, such as redmine.internal:3000.`);
      return `${hostname}:${Number(port)}`;
    }),
  );

export const isAllowed = (allowances: Allowances, host: string, port: number): boolean =>
  allowances.has(`${host}:${port}`) || allowances.has(`${host}:*`);
