import { expect, test } from "vitest";
import { leadOf } from "./lead-of.ts";

const address = { name: "instanceUrl", setting: {}, required: true };
const key = { name: "token", setting: { writeOnly: true as const }, required: true };
const shownKey = { ...key, setting: { ...key.setting, where: ["Open **My account**."] } };
const extra = { name: "project", setting: { where: ["Look there."] }, required: false };
const tool = { signIn: "secret", partnersOwn: false } as const;
const own = { signIn: "secret", partnersOwn: true } as const;

test("promises to show where the key is only if the connector describes it", () => {
  expect(leadOf(tool, [address, shownKey])).toBe("secretShown");
  expect(leadOf(tool, [address, key, extra])).toBe("secret");
});

test("the key for a partner's own application comes from the partner", () => {
  expect(leadOf(own, [address, key])).toBe("fromPartner");
});

test("does not ask to copy anything when no field is required", () => {
  expect(leadOf(own, [])).toBe("given");
  expect(leadOf(tool, [extra])).toBe("given");
});

test("a tool with OAuth or without a sign-in has its own lead", () => {
  expect(leadOf({ ...tool, signIn: "oauth2" }, [address])).toBe("oauth2");
  expect(leadOf({ ...tool, signIn: "none" }, [])).toBe("none");
});
