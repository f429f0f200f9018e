import { describe, expect, test } from "vitest";
import { qrCode, qrPath } from "./qr-code.ts";

const rows = (text: string) =>
  qrCode(text)?.map((row) => row.map((dark) => (dark ? "#" : ".")).join("")) ?? [];
const digest = async (text: string) => {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(rows(text).join("\n")));
  return [...new Uint8Array(hash)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, 16);
};

describe("a QR code", () => {
  test("is the one that another encoder makes", () => {
    expect(rows("hello")).toEqual([
      "#######..##...#######",
      "#.....#.##....#.....#",
      "#.###.#..#.##.#.###.#",
      "#.###.#...##..#.###.#",
      "#.###.#.##..#.#.###.#",
      "#.....#.....#.#.....#",
      "#######.#.#.#.#######",
      "..........###........",
      "#.#.#.#..#.#....#..#.",
      "..#.##....#...#....##",
      ".#.#..#.###.#...#####",
      "##..#.........#....#.",
      ".##.#.##..#.#.#.#....",
      "........####.#.#..###",
      "#######...##.###..###",
      "#.....#...####.##....",
      "#.###.#.#.##.###...##",
      "#.###.#..#....##..##.",
      "#.###.#.###.#...#.#.#",
      "#.....#..#....#.#..#.",
      "#######.###.#.##...##",
    ]);
  });

  // Each was read back by the decoder of the package qr 0.7, as were texts of every length up to the longest.
  test.each([
    [60, 33, "4cb4dbbea26361a1"],
    [95, 41, "9090ef71137d374c"],
    [130, 49, "611ced6d0bc776a3"],
    [180, 53, "aabf3a8c8e9685e3"],
    [213, 57, "4dd8bcdd7ee52970"],
    [214, 61, "82865e870786f077"],
    [331, 69, "f66c4b911e8abded"],
  ])("of %i bytes is %i modules wide", async (length, width, known) => {
    const text = "otpauth://totp/Portage:jo%40acme.example?secret=".padEnd(length, "JBSWY3DPEHPK3PXP");
    expect([text.length, rows(text).length, await digest(text)]).toEqual([length, width, known]);
  });

  test("of a text that is too long is none", () => {
    expect(qrCode("x".repeat(331))).not.toBeNull();
    expect(qrCode("x".repeat(332))).toBeNull();
    expect(qrCode("ä".repeat(166))).toBeNull();
  });

  test("is drawn with a quiet zone of four modules", () => {
    expect(qrPath([[false, true]])).toEqual({ size: 9, path: "M5 4h1v1h-1z" });
  });
});
