import { expect } from "vitest";
import type { OpenedWizard } from "./browser.ts";
import { axe, axeDark, axeNarrow, shoot, sidewaysScroll, sidewaysScrollAt200Percent } from "./looks.ts";

interface Looks {
  /** Whether the page may log errors: a test that cuts its connection causes them. */
  readonly mayComplain?: boolean;
  /** Whether the page was left for a tool's own sign-in page. */
  readonly hasLeft?: boolean;
}

/** What every state of a screen must be: accessible, as wide as its window, without requests to other hosts. */
export const looksRight = async (
  { page, watch }: Pick<OpenedWizard, "page" | "watch">,
  name: string,
  { mayComplain = false, hasLeft = false }: Looks = {},
): Promise<void> => {
  await shoot(page, name);
  expect(await axe(page)).toEqual([]);
  expect(await axeNarrow(page)).toEqual([]);
  expect(await axeDark(page)).toEqual([]);
  expect(await sidewaysScroll(page, 320)).toBe(0);
  expect(await sidewaysScrollAt200Percent(page)).toBe(0);
  if (!hasLeft) expect(watch.foreign).toEqual([]);
  expect(await watch.violations()).toEqual([]);
  if (!mayComplain) expect(watch.errors).toEqual([]);
};
