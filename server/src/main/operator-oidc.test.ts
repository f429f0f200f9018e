import { describe, expect, test } from "vitest";
import { configSchemas } from "./config.ts";
import { readOidc } from "./operator-oidc.ts";

const read = (given: Readonly<Record<string, string>>) =>
  readOidc({
    OPERATOR_OIDC_ISSUER: given["ISSUER"],
    OPERATOR_OIDC_CLIENT_ID: given["CLIENT_ID"],
    OPERATOR_OIDC_CLIENT_SECRET: given["CLIENT_SECRET"],
    OPERATOR_OIDC_LABEL: "Acme ID",
    OPERATOR_OIDC_ROLES_CLAIM: "roles",
    OPERATOR_OIDC_ROLES: configSchemas.OPERATOR_OIDC_ROLES.parse(given["ROLES"]),
  });

const complete = {
  ISSUER: "https://id.acme.example/realms/staff",
  CLIENT_ID: "portage",
  CLIENT_SECRET: "secret",
  ROLES: "portage-admins=admin",
};

describe("the settings of the identity provider", () => {
  test("are none without an issuer", () => {
    expect(read({})).toBeNull();
  });

  test("map values of a claim to roles", () => {
    const settings = read({ ...complete, ROLES: "portage-admins=admin, cn=ops=operator" });
    expect([...(settings?.roles ?? [])]).toEqual([
      ["portage-admins", "admin"],
      ["cn=ops", "operator"],
    ]);
    expect(settings?.issuer.href).toBe("https://id.acme.example/realms/staff");
    expect(JSON.stringify(settings)).not.toContain('"secret"');
  });

  test.each([
    ["without a client", { ISSUER: complete.ISSUER }, "needs OPERATOR_OIDC_CLIENT_ID"],
    ["without roles", { ...complete, ROLES: "" }, "OPERATOR_OIDC_ROLES"],
    ["with an unknown role", { ...complete, ROLES: "a=owner" }, "roles are viewer, operator, admin"],
    ["with the role of a partner's person", { ...complete, ROLES: "a=partner" }, "roles are"],
    ["with no value", { ...complete, ROLES: "=admin" }, "must be like"],
    ["without TLS", { ...complete, ISSUER: "http://id.acme.example" }, "must be https"],
  ])("are refused %s", (_, given, message) => {
    expect(() => read(given)).toThrow(message);
  });
});
