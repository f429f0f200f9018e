import { setTimeout as sleep } from "node:timers/promises";
import { hasStatus } from "@portage/connector-kit";
import { send } from "./ask.ts";
import type { RedmineIo } from "./settings.ts";

const tries = 5;
const pauseMs = 300;

/**
 * Redmine refuses to change an issue while another call changes it, with a message in the account's language. So this
 * retries after every refusal. A refused call has written nothing.
 */
export const sendInTurn = async (
  io: RedmineIo,
  request: Parameters<typeof send>[1],
): ReturnType<typeof send> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await send(io, request);
    } catch (error) {
      if (!hasStatus(422)(error) || tried === tries) throw error;
      // Jitter, so that the calls do not collide again.
      await sleep(pauseMs * tried * (0.5 + Math.random()), undefined, { signal: io.signal });
    }
  }
};
