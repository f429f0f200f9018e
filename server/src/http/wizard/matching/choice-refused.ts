import { Problem } from "../../answer.ts";

export const choicePaidFor =
  "The full move is paid for as you chose it, so what moves can't be changed any more.";

export const choicePaymentOpen = () =>
  new Problem(
    "conflict",
    "A payment page for what you chose before is still open, and we could not close it. Try again in a few minutes.",
  );
