import { expect, test } from "vitest";
import { requestTexts } from "./request-texts.ts";

test.each([
  [undefined, undefined, "en"],
  ["fr-CA,fr;q=0.9,en;q=0.8", undefined, "fr"],
  ["nl, en;q=0.5, de;q=0.8", undefined, "de"],
  ["de;q=0, ja", undefined, "ja"],
  ["de;Q=0.1, ja;Q=0.5", undefined, "ja"],
  ["fr", "other=1; portage-language=pt-BR", "pt-BR"],
  ["fr", "portage-language=xx", "fr"],
  ["*;q=x,,;;=", "portage-language=../../etc", "en"],
])("Accept-Language %s and the cookie %s get %s", (accepted, cookie, language) => {
  const headers = { ...(accepted && { "accept-language": accepted }), ...(cookie && { cookie }) };
  expect(requestTexts({ headers }).language).toBe(language);
});
