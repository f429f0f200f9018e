import type { FastifyRequest } from "fastify";
import type { Authenticator, CallingPartner } from "../../features/partners/index.ts";
import { Problem } from "../answer.ts";
import type { SignInGuard } from "../sign-in-guard.ts";
import { basicToken } from "./basic-token.ts";

const challenge = { "www-authenticate": 'Basic realm="Portage API", charset="UTF-8"' };

export const apiTokenRequired = () =>
  new Problem(
    "unauthorized",
    "Send your API token as the username of HTTP Basic authentication. This one is missing, wrong or revoked.",
    challenge,
  );

export interface PartnerAuthNeeds {
  readonly authenticator: Authenticator;
  readonly guard: SignInGuard;
}

export const authenticatePartner = async (
  { authenticator, guard }: PartnerAuthNeeds,
  request: FastifyRequest,
): Promise<CallingPartner> => {
  const token = basicToken(request.headers.authorization);
  guard.admit(request.ip, token ?? "");
  const partner = token === undefined ? undefined : await authenticator.authenticate(token);
  if (partner) {
    guard.accepted(token ?? "");
    return partner;
  }
  guard.failed(request.ip);
  throw apiTokenRequired();
};
