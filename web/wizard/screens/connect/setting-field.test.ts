import { createElement } from "react";
import { beforeAll, expect, test } from "vitest";
import { createI18n } from "../../i18n/create-i18n.ts";
import { english } from "../../i18n/languages.ts";
import { renderPage } from "../../testing/render-page.ts";
import { SettingField } from "./setting-field.tsx";

beforeAll(async () => {
  const i18n = await createI18n(english);
  await i18n.loadNamespaces(["connect"]);
});

test("the values of a list are shown in the connector's words, where it has any", () => {
  const setting = { title: "Format", enum: ["textile", "plain"], options: { textile: "Textile markup" } };
  const shown = renderPage(
    createElement(SettingField, {
      name: "format",
      setting,
      value: "textile",
      onChange: () => {},
      error: null,
      keptDays: 7,
    }),
  );
  expect(shown).toMatch(/value="textile"[^>]*>Textile markup</);
  expect(shown).toMatch(/value="plain"[^>]*>plain</);
});
