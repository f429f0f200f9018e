/** What is known about a request before it is sent. */
export interface Expected {
  /** Whether its credential opens the import in its address. */
  readonly opens: boolean;
  /** Whether the address belongs to an import: its API, or its page. */
  readonly isGuarded: boolean;
  /** The mark of the import that the credential belongs to; its own data may be shown. */
  readonly own: string;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Every mark looks like this: a text in the data of exactly one import. */
export const markPattern = /mark-[a-z0-9]{12}-x/g;

/** The documented answer to a caller who was let in, while the customer's tool does not answer. */
const isToolAway = ({ status, text }: Answered) => status === 503 && text.includes('"code":"unavailable"');

/** Returns what is wrong with an answer; undefined if nothing is. */
export const judgeAnswer = ({ opens, isGuarded, own }: Expected, answer: Answered): string | undefined => {
  const { status, text } = answer;
  if (status >= 500 && !(opens && isToolAway(answer))) return "5xx";
  const foreign = (text.match(markPattern) ?? []).filter((mark) => mark !== own);
  if (foreign.length > 0) return `shows the data of another import: ${foreign[0]}`;
  if (opens) return undefined;
  if (text.includes(own) && own !== "" && isGuarded) return "shows data without a right to it";
  // 422 and 409 are answers to a caller who was let in.
  if (isGuarded && !(status >= 400 && ![409, 422].includes(status))) return "let in without a right";
  return undefined;
};
