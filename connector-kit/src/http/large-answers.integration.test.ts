import { expect, test } from "vitest";
import { manifestOf, plain, secret, serve } from "../../test/local-tool.ts";
import { createAuthorizer } from "./authorize.ts";
import { createByteBudget } from "./byte-budget.ts";
import { createHttp } from "./http-client.ts";
import { createLocalLimiter } from "./limiter.ts";
import type { Transport } from "./transport.ts";

const mb = 1024 * 1024;
const signal = new AbortController().signal;

/** Counts the bytes of bodies that were received and whose answer is not complete yet. */
const watching = () => {
  let held = 0;
  let most = 0;
  const transport: Transport = {
    send: async (request) => {
      const answer = await plain.send(request);
      async function* counted() {
        let bytes = 0;
        try {
          for await (const chunk of answer.body) {
            bytes += chunk.byteLength;
            held += chunk.byteLength;
            most = Math.max(most, held);
            yield chunk;
          }
        } finally {
          held -= bytes;
        }
      }
      return { ...answer, body: counted() };
    },
  };
  return { transport, most: () => most };
};

const clientOf = (base: string, transport: Transport, budget?: ReturnType<typeof createByteBudget>) => {
  const settings = { instanceUrl: base, token: secret };
  const manifest = manifestOf();
  return createHttp({
    manifest,
    settings,
    transport,
    authorizer: createAuthorizer(manifest, settings, null),
    limiter: createLocalLimiter([], 64),
    signal,
    maxBytes: { answer: 8 * mb, file: 8 * mb },
    ...(budget ? { answerBudget: budget } : {}),
  });
};

test.each([
  ["of a known length", true],
  ["of an unknown length", false],
])("sixteen large answers %s are received within the budget of the process", async (_, isKnown) => {
  const text = JSON.stringify("x".repeat(6 * mb));
  const { base } = await serve((response) => {
    if (isKnown) response.setHeader("content-length", text.length);
    response.write(text.slice(0, 5 * mb));
    // Long enough that all of them are under way.
    setTimeout(() => response.end(text.slice(5 * mb)), 2_000);
  });
  const budget = createByteBudget(16 * mb);
  const { transport, most } = watching();
  // As different imports would: each with a client of its own.
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => clientOf(base, transport, budget).send({ url: "x" })),
  );
  expect(answers.every((answer) => answer.text.length === text.length)).toBe(true);
  // Each may have received what is free, and the chunk with which it noticed.
  expect(most()).toBeLessThanOrEqual(16 * mb + 16 * (mb + 256 * 1024));
  expect(budget.held()).toBe(0);
});

test("small answers pass, however full the budget is", async () => {
  const { base } = await serve((response) => response.end("[1]"));
  const budget = createByteBudget(mb);
  const release = await budget.take(mb, signal);
  expect((await clientOf(base, plain, budget).send({ url: "x" })).json()).toEqual([1]);
  release();
});
