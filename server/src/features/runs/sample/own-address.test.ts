import type { Connector } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { ownAddress } from "./own-address.ts";

const side = {
  connector: {
    manifest: {
      hosts: () => ({ api: ["https://desk.example:8443/help"], files: ["https://*.cdn.example"] }),
    },
  } as unknown as Connector,
  settings: {},
};

test("addresses of the tool itself are kept, whatever their path", () => {
  for (const address of [
    "https://desk.example:8443/tickets/5?a=1#c",
    "http://DESK.example:8443/",
    "https://eu.cdn.example/f",
  ])
    expect(ownAddress(side, address)).toBe(address);
});

test("an address that leads elsewhere, runs a script, carries a name or is invalid is dropped", () => {
  for (const address of [
    "javascript:alert(1)",
    "data:text/html,x",
    "//desk.example:8443/x",
    "/tickets/5",
    "",
    null,
    undefined,
    "https://desk.example/5",
    "https://desk.example:8443.evil.example/",
    "https://evil.example/desk.example",
    "https://a.b.cdn.example/f",
    "https://cdn.example/f",
    "https://desk.example:8443@evil.example/",
    "https://evil@desk.example:8443/",
  ])
    expect(ownAddress(side, address)).toBeNull();
});
