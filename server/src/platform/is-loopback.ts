/** Whether a host, as a URL or a socket spells it, is this machine, so that traffic to it needs no TLS. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
