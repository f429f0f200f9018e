import { expect, test } from "vitest";
import { readLogo } from "./logo.ts";

const kind = (bytes: Buffer | string) => {
  const read = readLogo(Buffer.from(bytes as string));
  return read.kind === "logo" ? read.logo.contentType : read.message;
};
const png = Buffer.from("89504e470d0a1a0a0000", "hex");

test("the bytes of a logo determine its type", () => {
  expect(kind(png)).toBe("image/png");
  expect(kind(Buffer.from("ffd8ffe000", "hex"))).toBe("image/jpeg");
  expect(kind(Buffer.from("RIFF\0\0\0\0WEBPVP8 "))).toBe("image/webp");
  for (const svg of [
    "<svg/>".replace("/", " /"),
    '\uFEFF<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="http://www.w3.org/2000/svg">',
    "<!-- one --><!-- - two -- -->\n<!---->\n<svg>",
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg>',
  ])
    expect(kind(svg)).toBe("image/svg+xml");
});

test("other formats and oversized files are refused", () => {
  for (const other of [
    "",
    "GIF89a",
    "<html><svg></svg></html>",
    "<script>alert(1)</script>",
    "svg",
    "<svgx>",
  ])
    expect(kind(other)).toBe("must be a PNG, JPEG, WebP or SVG file");
  expect(kind(Buffer.concat([png, Buffer.alloc(256 * 1024)]))).toBe("must be at most 256 KiB large");
});

test("a file of comments alone is refused in one pass", () => {
  expect(kind("<!---->".repeat(500))).toBe("must be a PNG, JPEG, WebP or SVG file");
});
