import { createElement } from "react";
import { beforeAll, expect, test } from "vitest";
import { createI18n } from "../i18n/create-i18n.ts";
import { english } from "../i18n/languages.ts";
import { renderPage } from "../testing/render-page.ts";
import { HeaderSteps } from "./header-steps.tsx";
import { NavigationProvider } from "./navigation.tsx";
import { type StepName, stepNames } from "./screen-names.ts";
import type { WizardHistory } from "./wizard-history.ts";

beforeAll(async () => {
  await (await createI18n(english)).loadNamespaces(["shell"]);
});

const hrefs = (current: StepName, opens: readonly StepName[]) => {
  const steps = createElement(HeaderSteps, {
    current,
    finished: false,
    opens: (step: StepName) => opens.includes(step),
  });
  const page = renderPage(
    NavigationProvider({ navigation: { history: {} as WizardHistory, prepare: () => {} }, children: steps }),
  );
  return [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
};

test("steps that are done lead back, if they can; later ones and the current one are no links", () => {
  expect(hrefs("sample", stepNames)).toEqual(["/imports/imp_x/connect", "/imports/imp_x/choose"]);
  expect(hrefs("move", ["sample"])).toEqual(["/imports/imp_x/review"]);
  expect(hrefs("connect", stepNames)).toEqual([]);
});
