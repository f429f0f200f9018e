import type { RedmineServer } from "../../tools/redmine/redmine-server.ts";
import type { RequestTracker } from "../../tools/request-tracker/request-tracker.ts";
import type { Enter } from "./sample.ts";

/** Signs in on the tool's own page, which then shows the requested page. An existing session stays. */
export const enterRequestTracker =
  ({ username, password }: RequestTracker): Enter =>
  async (page) => {
    const user = page.locator("input[name=user]");
    if ((await user.count()) === 0) return;
    await user.fill(username);
    await page.locator("input[name=pass]").fill(password);
    await page.locator("form#login [type=submit]").click();
  };

export const enterRedmine =
  ({ adminLogin, adminPassword }: RedmineServer): Enter =>
  async (page) => {
    const user = page.locator("#login-form #username");
    if ((await user.count()) === 0) return;
    await user.fill(adminLogin);
    await page.locator("#login-form #password").fill(adminPassword);
    await page.locator("#login-submit").click();
  };

/** Public: no sign-in needed. */
export const enterDesk: Enter = async () => {};
