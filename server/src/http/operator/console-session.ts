import type { FastifyRequest } from "fastify";
import { longestHours, type StaffSession } from "../../features/staff/index.ts";
import type { Secret } from "../../platform/secret.ts";
import { Problem } from "../answer.ts";
import type { SignInGuard } from "../sign-in-guard.ts";
import type { FindSession } from "./gate.ts";

export interface ConsoleCookie {
  read(header: string | undefined): string | undefined;
  /** A `Set-Cookie` header; without a value it removes the cookie. */
  write(value: Secret | null, seconds: number): string;
}

/** A cookie of the console. Lax, not Strict: the identity provider's redirect comes from another site. */
export const consoleCookie = (operatorUrl: string, name: string): ConsoleCookie => {
  const secure = operatorUrl.startsWith("https:");
  // With this prefix browsers accept the cookie from this host over TLS only.
  const start = `${secure ? "__Host-" : ""}${name}=`;
  return {
    read: (header) =>
      (header ?? "")
        .split(";")
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(start))
        ?.slice(start.length),
    write: (value, seconds) =>
      `${start}${value?.reveal() ?? ""}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${value ? seconds : 0}${secure ? "; Secure" : ""}`,
  };
};

export const sessionCookie = (operatorUrl: string) => {
  const cookie = consoleCookie(operatorUrl, "portage-staff");
  return {
    read: cookie.read,
    set: (value: Secret) => ({ "set-cookie": cookie.write(value, longestHours * 3_600) }),
    clear: { "set-cookie": cookie.write(null, 0) },
  };
};

/** By the cookie of a browser that signed in. */
export const cookieSession = (
  operatorUrl: string,
  guard: SignInGuard,
  lookUp: (value: string) => Promise<StaffSession | undefined>,
): FindSession => {
  const cookie = sessionCookie(operatorUrl);
  return async (request) => {
    const value = cookie.read(request.headers.cookie);
    if (value === undefined) return undefined;
    guard.admit(request.ip, value);
    const session = await lookUp(value);
    if (session) guard.accepted(value);
    else guard.failed(request.ip);
    return session;
  };
};

/** Whether a browser sent this from another site's page. Other clients send no origin. */
export const isFromElsewhere = (request: FastifyRequest, operatorUrl: string): boolean =>
  request.headers.origin !== undefined && request.headers.origin !== new URL(operatorUrl).origin;

/** Throws if another site's page may have made a browser send this change with its cookie. */
export const requireOwnPages = (request: FastifyRequest, operatorUrl: string): void => {
  const { origin } = new URL(operatorUrl);
  if (request.headers["x-portage-console"] !== "1" || request.headers.origin !== origin)
    throw new Problem(
      "forbidden",
      `A change with a browser's session must come from the console at ${origin} (OPERATOR_URL), with the header x-portage-console: 1.`,
    );
};
