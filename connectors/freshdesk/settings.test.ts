import { expect, test } from "vitest";
import { vendorOrigins } from "./settings.ts";

const signed = (host: string, payload: unknown) =>
  `https://${host}/inline/attachment?token=e30.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.x`;

test("an image of Freshdesk's is known by the id in its signed link, whatever the signature", () => {
  expect(vendorOrigins.imageId(signed("attachment.freshdesk.com", { id: 36_000_123 }))).toBe("36000123");
});

test.each([
  signed("images.example", { id: 1 }),
  signed("freshdesk.com.example", { id: 1 }),
  signed("attachment.freshdesk.com", { id: "../1" }),
  signed("attachment.freshdesk.com", null),
  "https://attachment.freshdesk.com/inline/attachment?token=x",
  "data:image/png;base64,AA",
])("%s is no image of Freshdesk's", (url) => {
  expect(vendorOrigins.imageId(url)).toBeNull();
});
