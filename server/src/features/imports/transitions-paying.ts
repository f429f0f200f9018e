import { isPaid } from "./state.ts";
import { row, type Transition } from "./transition.ts";

/** Payments and promises of payment: sponsorship, asking, buying, refunds. */
export const paying: readonly Transition[] = [
  row({
    from: "any",
    on: "sponsorship_accepted",
    guard: "not bought by the customer",
    when: (state) => !state.bought,
    to: "same",
    set: () => ({ sponsorship: "accepted" }),
  }),
  row({ from: "any", on: "sponsorship_accepted", guard: "bought already: no effect", to: "same" }),
  // No row accepts a rejection once a sponsored full migration has started: it is refused.
  row({
    from: ["in_preparation"],
    on: "sponsorship_rejected",
    guard: "no sponsored full ever started, not bought, a sample is there",
    when: (state) => !state.sponsoredFullStarted && !state.bought && state.sampleCopy === "all",
    to: "sample_completed",
    set: () => ({ sponsorship: "rejected" }),
  }),
  row({
    from: ["in_preparation"],
    on: "sponsorship_rejected",
    guard: "no sponsored full ever started, not bought, no sample",
    when: (state) => !state.sponsoredFullStarted && !state.bought,
    to: "waiting_for_sample",
    set: () => ({ sponsorship: "rejected" }),
  }),
  row({
    from: "any",
    on: "sponsorship_rejected",
    guard: "no sponsored full ever started",
    when: (state) => !state.sponsoredFullStarted,
    to: "same",
    set: () => ({ sponsorship: "rejected" }),
  }),
  // Asking twice is not a second request to the partner.
  row({ from: "any", on: "full_asked", guard: "asked already", when: (state) => state.asked, to: "same" }),
  row({
    from: ["collecting_credentials", "waiting_for_sample", "sample_in_progress", "sample_completed"],
    on: "full_asked",
    to: "same",
    set: () => ({ asked: true }),
    effects: (state, { payer }) =>
      payer === "partner_decides" && !isPaid(state)
        ? [{ kind: "notify", type: "import.full_requested" }]
        : [],
  }),
  row({ from: "any", on: "bought", to: "same", set: () => ({ bought: true, asked: true }) }),
  row({
    from: ["in_preparation"],
    on: "refunded",
    guard: "not sponsored, a sample is there",
    when: (state) => state.sponsorship !== "accepted" && state.sampleCopy === "all",
    to: "sample_completed",
    set: () => ({ bought: false, asked: false }),
  }),
  row({
    from: ["in_preparation"],
    on: "refunded",
    guard: "not sponsored, no sample",
    when: (state) => state.sponsorship !== "accepted",
    to: "waiting_for_sample",
    set: () => ({ bought: false, asked: false }),
  }),
  // No refund applies while the work that it paid for is under way.
  row({
    from: "any",
    on: "refunded",
    guard: "no full migration under way",
    when: (state) => state.status !== "migration_in_progress",
    to: "same",
    set: () => ({ bought: false }),
  }),
];
