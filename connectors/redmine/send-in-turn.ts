import { setTimeout as sleep } from "node:timers/promises";
import { ConnectorError } from "@portage/connector-kit";
import { send } from "./ask.ts";
import type { RedmineIo } from "./settings.ts";

const tries = 5;
const pauseMs = 300;

/**
 * Redmine refuses a change of an issue that another call is changing, and says so in the account's language: any
 * refusal is tried again a little later. Nothing of what was refused has been written.
 */
export const sendInTurn = async (
  io: RedmineIo,
  request: Parameters<typeof send>[1],
): ReturnType<typeof send> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await send(io, request);
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.status !== 422 || tried === tries) throw error;
      // Each waits for another time, so that they do not meet again.
      await sleep(pauseMs * tried * (0.5 + Math.random()), undefined, { signal: io.signal });
    }
  }
};
