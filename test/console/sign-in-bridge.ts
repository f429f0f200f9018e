import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ConsoleSession, Enrolment, SignInOffer } from "../../web/console/api/session.ts";

/**
 * Stands in for the sign-in of the operator API, for tests alone: a cookie that it makes from a staff token is turned
 * into that token. Everything else goes to the API as it is.
 */
export interface SignInBridge {
  readonly origin: string;
  /** The only password; the code is always 123456. */
  readonly password: string;
  /** How people can sign in. */
  offer: SignInOffer;
  /** Adds a person who can sign in. */
  add(session: ConsoleSession, token: string): void;
  /** A token of an invitation, for one person. */
  invite(session: ConsoleSession, token: string): string;
  /** Ends all sessions, as if their time were over. */
  endSessions(): void;
  /** Requests that changed something without the header that only our own pages send. */
  readonly unmarked: string[];
  close(): Promise<void>;
}

const base = "/api/operator/v1";
const cookieName = "portage-staff";

const readJson = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString() || "{}") as Record<string, unknown>;
};

const answer = (
  response: ServerResponse,
  status: number,
  body?: object,
  headers: Record<string, string> = {},
) => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers });
  response.end(body && JSON.stringify(body));
};

const problem = (code: string, message: string) => ({ error: { code, message, request_id: "bridge" } });

export const startSignInBridge = async (apiOrigin: string): Promise<SignInBridge> => {
  const people = new Map<string, { session: ConsoleSession; token: string }>();
  const invitations = new Map<string, string>();
  const sessions = new Map<string, string>();
  const unmarked: string[] = [];
  const password = "correct horse battery";
  let made = 0;
  const state: { offer: SignInOffer } = { offer: { local: true, passkeys: false, oidc: null } };

  const emailOf = ({ headers }: IncomingMessage) =>
    sessions.get(new RegExp(`${cookieName}=([^;]+)`).exec(headers.cookie ?? "")?.[1] ?? "");
  const open = (email: string) => {
    made += 1;
    sessions.set(`session-${made}`, email);
    return { "set-cookie": `${cookieName}=session-${made}; HttpOnly; SameSite=Lax; Path=/` };
  };
  const pass = (request: IncomingMessage, response: ServerResponse, token: string | undefined) => {
    const { cookie: _, ...headers } = request.headers;
    const forwarded = httpRequest(
      `${apiOrigin}${request.url ?? ""}`,
      { method: request.method, headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) } },
      (received) => {
        response.writeHead(received.statusCode ?? 502, received.headers);
        received.pipe(response);
      },
    );
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url = "" } = request;
    const path = url.startsWith(base) ? url.slice(base.length) : null;
    if (path === null) return pass(request, response, undefined);
    if (method !== "GET" && request.headers["x-portage-console"] !== "1") unmarked.push(`${method} ${url}`);
    const person = people.get(emailOf(request) ?? "");
    switch (`${method} ${path}`) {
      case "GET /sign-in":
        return answer(response, 200, state.offer);
      case "POST /sign-in/local": {
        const { email, password: given, code } = await readJson(request);
        const isRight = people.has(String(email)) && given === password && code === "123456";
        return isRight
          ? answer(response, 204, undefined, open(String(email)))
          : answer(response, 401, problem("unauthorized", "The sign-in was refused."));
      }
      case "POST /enrolment": {
        const { token } = await readJson(request);
        const found = people.get(invitations.get(String(token)) ?? "");
        if (!found) return answer(response, 404, problem("not_found", "There is no such invitation."));
        const { name, email } = found.session.person;
        const enrolment: Enrolment = {
          name,
          email,
          totp: {
            secret: "JBSWY3DPEHPK3PXP",
            uri: `otpauth://totp/Portage:${email}?secret=JBSWY3DPEHPK3PXP&issuer=Portage`,
          },
          passkey: null,
        };
        return answer(response, 200, enrolment);
      }
      case "POST /enrolment/complete": {
        const { token, code } = await readJson(request);
        const email = invitations.get(String(token));
        if (email === undefined || code !== "123456")
          return answer(response, 401, problem("unauthorized", "The code is wrong."));
        invitations.delete(String(token));
        return answer(response, 204, undefined, open(email));
      }
      case "GET /session":
        return person
          ? answer(response, 200, person.session)
          : answer(response, 401, problem("unauthorized", "Sign in."));
      case "DELETE /session":
        sessions.clear();
        return answer(response, 204);
      default:
        return pass(request, response, person?.token);
    }
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    password,
    get offer() {
      return state.offer;
    },
    set offer(offer) {
      state.offer = offer;
    },
    add: (session, token) => void people.set(session.person.email, { session, token }),
    invite: (session, token) => {
      people.set(session.person.email, { session, token });
      const invitation = `inv_${session.person.id}`;
      invitations.set(invitation, session.person.email);
      return invitation;
    },
    endSessions: () => sessions.clear(),
    unmarked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
