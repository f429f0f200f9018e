import { expect, test } from "vitest";
import { leadOf } from "./lead-of.ts";

const address = { name: "instanceUrl", setting: {}, required: true };
const key = { name: "token", setting: { writeOnly: true as const }, required: true };
const shownKey = { ...key, setting: { ...key.setting, where: ["Open **My account**."] } };
const extra = { name: "project", setting: { where: ["Look there."] }, required: false };
const tool = { signIn: "secret", partnersOwn: false } as const;
const own = { signIn: "secret", partnersOwn: true } as const;

test("that its place is shown is said only where it is", () => {
  expect(leadOf(tool, [address, shownKey])).toBe("secretShown");
  expect(leadOf(tool, [address, key, extra])).toBe("secret");
});

test("what a partner's own application asks for comes from the partner", () => {
  expect(leadOf(own, [address, key])).toBe("fromPartner");
});

test("where nothing must be typed, nobody is told to copy anything", () => {
  expect(leadOf(own, [])).toBe("given");
  expect(leadOf(tool, [extra])).toBe("given");
});

test("a tool with a page of its own, or with no sign-in, is told as that", () => {
  expect(leadOf({ ...tool, signIn: "oauth2" }, [address])).toBe("oauth2");
  expect(leadOf({ ...tool, signIn: "none" }, [])).toBe("none");
});
