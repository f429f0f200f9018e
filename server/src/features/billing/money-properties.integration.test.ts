import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { testSealer } from "../../../../test/support/fixtures.ts";
import { findCountingPayment, insertRefund, oweBack } from "../money/index.ts";
import { whatPaymentMeans } from "./settle-payment.ts";
import { listPosted } from "./store-invoices.ts";
import { actions, beginStory, type MoneyAction } from "../../../../test/support/money-story.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

type Broken = Parameters<typeof beginStory>[2];

const story = fc.array(fc.tuple(fc.constantFrom(...actions), fc.nat(1_000)), { minLength: 5, maxLength: 40 });

/** What goes wrong first when these things happen one after another; null: nothing. */
const play = async (
  happens: readonly MoneyAction[],
  broken: Broken = {},
  reached: Set<string> = new Set(),
): Promise<string | null> => {
  const told = await beginStory(db, sealer, broken);
  try {
    for (const action of happens) {
      await told.act(action);
      const wrong = await told.wrong();
      if (wrong !== null) return `after ${action[0]}: ${wrong}`;
    }
    return await told.wrongAtLast();
  } finally {
    for (const { kind } of await listPosted(db, told.importId)) reached.add(kind);
    await told.forget();
  }
};

/** Ways to pay that a random story takes long to find: each is shown to be fine as it is, and caught when it is broken. */
const stories: Readonly<Record<string, readonly MoneyAction[]>> = {
  "pays two checkouts": [
    ...([
      ["buy", 0],
      ["decline", 0],
      ["notify", 0],
      ["buy", 0],
      ["pay", 0],
      ["pay", 1],
    ] as const),
    ...([
      ["notify", 1],
      ["notify", 2],
      ["notify", 1],
      ["turn", 0],
    ] as const),
  ],
  "pays what was sponsored meanwhile": [
    ...([
      ["ask", 0],
      ["buy", 0],
      ["accept", 0],
      ["pay", 0],
      ["notify", 0],
      ["start", 0],
    ] as const),
  ],
  "pays what was cancelled": [
    ["buy", 0],
    ["pay", 0],
    ["cancel", 0],
    ["notify", 0],
    ["turn", 0],
  ],
  "wants it back, and starts": [
    ...([
      ["buy", 0],
      ["pay", 0],
      ["notify", 0],
      ["want_back", 0],
      ["start", 0],
      ["turn", 0],
    ] as const),
  ],
  "is given back at the provider while it runs": [
    ...([
      ["buy", 0],
      ["pay", 0],
      ["notify", 0],
      ["start", 0],
      ["refund_there", 0],
      ["notify", 1],
    ] as const),
    ...([
      ["done", 0],
      ["delta", 0],
    ] as const),
  ],
  "is undone, and starts over": [
    ...([
      ["buy", 0],
      ["pay", 0],
      ["turn", 0],
      ["start", 0],
      ["done", 0],
      ["undo", 0],
      ["done", 0],
    ] as const),
    ...([
      ["start_over", 0],
      ["start", 0],
      ["turn", 0],
    ] as const),
  ],
};

test("no order of events leaves it started unpaid, paid twice, or paid and not startable; the books add up", async () => {
  const reached = new Set<string>();
  const beginnings = fc.constantFrom<readonly MoneyAction[]>([], ...Object.values(stories));
  await fc.assert(
    fc.asyncProperty(beginnings, story, async (before, happens) => {
      expect(await play([...before, ...happens], {}, reached)).toBeNull();
    }),
    { numRuns: 40 },
  );
  // Else it would say little: money came in, counted, came too often, was given back, and a sponsor was charged.
  for (const kind of ["paid", "paid_in_vain", "refund_due", "refunded", "sponsored"])
    expect(reached).toContain(kind);
}, 900_000);

describe("stories", () => {
  for (const [name, happens] of Object.entries(stories))
    test(name, async () => expect(await play(happens)).toBeNull(), 60_000);
});

describe("without one guard, something is noticed", () => {
  const broken: Readonly<Record<string, { story: keyof typeof stories; how: Broken }>> = {
    "a second payment counts": {
      story: "pays two checkouts",
      how: { means: (state, amounts) => whatPaymentMeans({ ...state, bought: false }, amounts) },
    },
    "a payment counts beside a sponsor's word": {
      story: "pays what was sponsored meanwhile",
      how: { means: (state, amounts) => whatPaymentMeans({ ...state, sponsorship: "undecided" }, amounts) },
    },
    "a payment for what is over is kept": {
      story: "pays what was cancelled",
      how: { means: (state, amounts) => whatPaymentMeans({ ...state, closed: null }, amounts) },
    },
    "money is owed back, and the import stays paid": {
      story: "wants it back, and starts",
      how: {
        owe: async (tx, { importId, reason }) => {
          const payment = await findCountingPayment(tx, importId);
          if (!payment) return false;
          const { checkoutId, amount, tax } = payment;
          await insertRefund(tx, { checkoutId, importId, amount: amount + tax, reason });
          return true;
        },
      },
    },
    "nothing is owed, and the import is said to be unpaid": {
      story: "wants it back, and starts",
      how: { owe: async () => true },
    },
    "the same is given back twice": {
      story: "wants it back, and starts",
      how: {
        owe: async (tx, about) => {
          const owed = await oweBack(tx, about);
          // As if the row were forgotten once it was written.
          await tx.deleteFrom("refunds").where("importId", "=", about.importId).execute();
          return owed;
        },
      },
    },
  };
  for (const [name, { story: happens, how }] of Object.entries(broken))
    test(name, async () => {
      const noticed = await play(stories[happens] ?? [], how).catch((error: unknown) => String(error));
      expect(noticed).not.toBeNull();
    }, 60_000);
});
