import { afterAll, beforeAll } from "vitest";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import {
  type AccountLimiters,
  createAccountSlots,
  type CreateLimiter,
} from "../../server/src/features/tool-limits/process/account-slots.ts";

/** The answer of a tool without problems. */
export const fine = { status: 200, retryAfterMs: null, quotas: [] };

/** A database for the tests of one file, and limiters that are closed at the end. */
export const useSlots = () => {
  let db: TestDatabase;
  const opened: AccountLimiters[] = [];
  let accounts = 0;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(async () => {
    for (const slots of opened) await slots.close();
    await db.drop();
  });
  const closing = (slots: AccountLimiters): AccountLimiters => {
    opened.push(slots);
    return slots;
  };
  return {
    db: () => db,
    closing,
    /** Acts as another process: it shares only the database with others. */
    open: (): AccountLimiters =>
      closing(
        createAccountSlots({
          db,
          onProblem: (error) => {
            throw error;
          },
        }),
      ),
    /** An account that no other test uses. */
    accountOf: (more: Partial<CreateLimiter> = {}): CreateLimiter => {
      accounts += 1;
      return {
        tool: "tool",
        instance: "tool.example",
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
