import { afterAll, beforeAll } from "vitest";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import {
  type AccountSlots,
  createAccountSlots,
  type LimiterOf,
} from "../../server/src/features/tool-limits/process/account-slots.ts";

/** What a tool answers when nothing is the matter. */
export const fine = { status: 200, retryAfterMs: null, remaining: null, resetMs: null };

/** A database for the tests of one file, and slots that are closed at their end. */
export const useSlots = () => {
  let db: TestDatabase;
  const opened: AccountSlots[] = [];
  let accounts = 0;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(async () => {
    for (const slots of opened) await slots.close();
    await db.drop();
  });
  const closing = (slots: AccountSlots): AccountSlots => {
    opened.push(slots);
    return slots;
  };
  return {
    db: () => db,
    closing,
    /** As another process would: it shares nothing with others but the database. */
    open: (): AccountSlots =>
      closing(
        createAccountSlots({
          db,
          onProblem: (error) => {
            throw error;
          },
        }),
      ),
    /** One that nobody else uses. */
    accountOf: (more: Partial<LimiterOf> = {}): LimiterOf => {
      accounts += 1;
      return {
        tool: "tool",
        accountId: `account ${accounts}`,
        side: "source",
        runId: "run",
        limits: [],
        concurrency: 8,
        ...more,
      };
    },
  };
};
