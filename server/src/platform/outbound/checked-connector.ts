import { isIP, type LookupFunction, type Socket } from "node:net";
import { buildConnector } from "undici";
import { type Allowances, isAllowed } from "./allowances.ts";
import { portOf, withoutBrackets } from "./checked-url.ts";
import { OutboundError } from "./outbound-error.ts";
import { isPublicAddress } from "./public-address.ts";
import type { Resolve } from "./resolver.ts";

/**
 * Resolves and checks in one step: the socket connects to exactly the addresses that were checked, which defeats DNS
 * rebinding. One bad address rejects the name.
 */
export const checkedLookup =
  (resolve: Resolve, mayBePrivate: boolean): LookupFunction =>
  (name, options, callback) => {
    const answer = async () => {
      const addresses = await resolve(name).catch((cause: unknown) => {
        throw new OutboundError("unresolvable", `The name ${name} could not be resolved.`, false, cause);
      });
      const valid = addresses.filter((address) => isIP(address) !== 0);
      if (valid.length === 0 || valid.length !== addresses.length)
        throw new OutboundError("unresolvable", `The name ${name} has no usable address.`, false);
      if (!mayBePrivate && !valid.every(isPublicAddress))
        throw new OutboundError("refused_address", `${name} does not lead to a public address.`, false);
      return valid.map((address) => ({ address, family: isIP(address) }));
    };
    answer().then(
      (found) => {
        if (options.all) callback(null, found);
        else callback(null, found[0]?.address ?? "", found[0]?.family);
      },
      (error: Error) => callback(error as NodeJS.ErrnoException, [], undefined),
    );
  };

interface Needs {
  readonly allowances: Allowances;
  readonly resolve: Resolve;
  /** For names that the operator allowed. */
  readonly resolveAllowed: Resolve;
  readonly connectMs: number;
  /** CA certificates trusted in addition to the system's. */
  readonly ca: readonly string[];
}

const asRefused = (host: string) =>
  new OutboundError("refused_address", `${host} does not lead to a public address.`, false);

/** undici closes an idle connection like this: nothing of it is under way. */
const isIdle = (error: Error) => error.message === "socket idle timeout";

/**
 * Resets the connection when its request is aborted or fails. Closed, it would go on to deliver what it has buffered, for
 * minutes if the network is slow: a write could take effect after the connector's grace, when nothing looks for it any more.
 */
const resetOnError = (socket: Socket, raw: Socket): Socket => {
  const destroy = socket.destroy.bind(socket);
  let failure: Error | undefined;
  socket.destroy = (error) => {
    if (error && !failure && !isIdle(error) && !raw.destroyed) {
      failure = error;
      // Without TLS it calls this function once more, and the connection ends with its failure.
      raw.resetAndDestroy();
    }
    return destroy(failure ?? error);
  };
  return socket;
};

type Connect = ReturnType<typeof buildConnector>;
type Connected = [Error, null] | [null, Socket];

/**
 * Opens the TCP connection before TLS is spoken on it, since only a TCP socket can be reset. `check` sees the address that it
 * really connected to.
 */
const resettable =
  (connect: Connect, check: (raw: Socket) => Error | null): Connect =>
  (options, callback) => {
    const { servername: _, ...rest } = options;
    const tcp = { ...rest, protocol: "http:", port: String(portOf(options)) };
    connect(tcp, (...[error, raw]: Connected) => {
      if (error) return callback(error, null);
      const refused = check(raw);
      if (refused) {
        raw.destroy();
        return callback(refused, null);
      }
      if (options.protocol !== "https:") return callback(null, resetOnError(raw, raw));
      // undici hears of errors through the socket with TLS.
      raw.on("error", () => {});
      connect({ ...options, httpSocket: raw }, (...[failed, socket]: Connected) => {
        if (!failed) return callback(null, resetOnError(socket, raw));
        raw.destroy();
        callback(failed, null);
      });
    });
  };

/** The connector with which undici opens sockets: the last check before any byte is sent. */
export const createCheckedConnector = ({ allowances, resolve, resolveAllowed, connectMs, ca }: Needs) => {
  const connector = (mayBePrivate: boolean) =>
    resettable(
      buildConnector({
        allowH2: false,
        timeout: connectMs,
        lookup: checkedLookup(mayBePrivate ? resolveAllowed : resolve, mayBePrivate),
        ...(ca.length > 0 ? { ca: [...ca] } : {}),
      }),
      ({ remoteAddress }) =>
        mayBePrivate || !remoteAddress || isPublicAddress(remoteAddress) ? null : asRefused(remoteAddress),
    );
  const strict = connector(false);
  const allowing = connector(true);
  return (options: buildConnector.Options, callback: buildConnector.Callback): void => {
    const { hostname } = options;
    const host = isIP(withoutBrackets(hostname)) === 6 ? `[${withoutBrackets(hostname)}]` : hostname;
    if (isAllowed(allowances, host, portOf(options))) return allowing(options, callback);
    const literal = withoutBrackets(hostname);
    if (isIP(literal) && !isPublicAddress(literal)) return callback(asRefused(hostname), null);
    strict(options, callback);
  };
};
