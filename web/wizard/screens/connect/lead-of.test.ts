import { expect, test } from "vitest";
import { leadOf } from "./lead-of.ts";

const address = { name: "instanceUrl", setting: {}, required: true };
const key = { name: "token", setting: { writeOnly: true as const }, required: true };
const shownKey = { ...key, setting: { ...key.setting, where: ["Open **My account**."] } };
const extra = { name: "project", setting: { where: ["Look there."] }, required: false };
const tool = { signIn: "secret", partnersOwn: false, alternative: null } as const;
const own = { signIn: "secret", partnersOwn: true, alternative: null } as const;

test("promises to show where the key is only if the connector describes it", () => {
  expect(leadOf(tool, [address, shownKey])).toBe("secretShown");
  expect(leadOf(tool, [address, key, extra])).toBe("secret");
});

test("a password is not called a key", () => {
  expect(leadOf(tool, [address, { ...shownKey, name: "password" }])).toBe("password");
});

test("a key is not called the only way if there is a sign-in page too", () => {
  const alternative = { signIn: "oauth2", readOnly: true, supplied: [] } as const;
  const form = { type: "object", properties: {}, required: [] } as const;
  expect(leadOf({ ...tool, alternative: { ...alternative, form } }, [address, shownKey])).toBe("secretToo");
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
