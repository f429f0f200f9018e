import { expect, test } from "vitest";
import { decodeList } from "./decode-list.ts";

const bytes = (...values: readonly number[]) => new Uint8Array(values).buffer;
const utf8 = (text: string) => new TextEncoder().encode(text).buffer;

test("a list in UTF-8 is read in every language", () => {
  for (const language of ["en", "ja"])
    expect(decodeList(utf8("\uFEFFid,match\n1,山田 é"), language)).toEqual({
      text: "id,match\n1,山田 é",
      isUtf8: true,
    });
});

test("a list of a Japanese Excel is read on the Japanese page", () => {
  // 山田 in Shift_JIS.
  expect(decodeList(bytes(0x8e, 0x52, 0x93, 0x63), "ja")).toEqual({ text: "山田", isUtf8: false });
});

test("a list in the letters of Windows is read on all others", () => {
  for (const language of ["en", "de", "pt-BR", "constructor"])
    expect(decodeList(bytes(0x5a, 0x6f, 0xeb), language)).toEqual({ text: "Zoë", isUtf8: false });
});
