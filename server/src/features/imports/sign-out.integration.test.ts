import { expect, test } from "vitest";
import { useSignIn } from "../../../../test/support/signed-in.ts";
import { createAuthorizationServer, type Revoked } from "../connections/index.ts";
import { findTokens } from "../connections/store-tokens.ts";
import { Secret } from "../../platform/secret.ts";
import { signOut } from "./sign-out.ts";

const signedIn = useSignIn();

const ending = (needs = signedIn.needs()) => {
  const reports: Revoked[] = [];
  return {
    reports,
    signOut: signOut({ ...needs, onRevoked: (_id, _side, revoked) => reports.push(revoked) }),
  };
};

test("credentials erased here are revoked at the tool, too", async () => {
  const { page } = signedIn.parts;
  const found = await signedIn.newImport();
  await signedIn.signIn(found);
  const before = await findTokens(signedIn.parts.db, signedIn.sealer, { importId: found.id, side: "source" });
  const me = (token: string) =>
    fetch(`${page.url}/me`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);
  const access = before?.access.reveal() ?? "";
  expect(await me(access)).toBe(200);
  const { reports, signOut: end } = ending();
  expect(await end(found.id, "source")).toEqual({ kind: "disconnected" });
  expect(reports).toEqual([{ kind: "revoked" }]);
  expect(await me(access)).toBe(401);
  expect(page.revoked.count).toBeGreaterThan(0);
  const refresh = await fetch(`${page.url}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      client_id: "portage",
      client_secret: "the-secret-of-the-oauth-client",
      refresh_token: before?.refresh?.reveal() ?? "",
    }),
  });
  expect(refresh.status).toBe(400);
  expect(await end(found.id, "source")).toEqual({ kind: "disconnected" });
  expect(reports[1]).toEqual({ kind: "nothing" });
});

test("an unreachable tool does not prevent erasing, and its report holds no secret", async () => {
  const found = await signedIn.newImport();
  await signedIn.signIn(found);
  const unreachable = createAuthorizationServer({
    transport: {
      request: async () => {
        throw new Error("the-secret-of-jo");
      },
    } as never,
    findClient: async () => ({ id: "portage", secret: new Secret("the-secret-of-the-oauth-client") }),
  });
  const { reports, signOut: end } = ending({ ...signedIn.needs(), server: unreachable });
  expect(await end(found.id, "source")).toEqual({ kind: "disconnected" });
  expect(reports).toEqual([{ kind: "failed", code: "revocation_failed" }]);
  expect(await findTokens(signedIn.parts.db, signedIn.sealer, { importId: found.id, side: "source" })).toBe(
    undefined,
  );
});
