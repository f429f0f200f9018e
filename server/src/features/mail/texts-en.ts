import type { MailCatalogue, MailFacts, MailText } from "./catalogue.ts";

const signIn = (tool: string): MailText => ({
  subject: `Sign in to ${tool} again so your move can go on`,
  title: `${tool} needs you to sign in again`,
  lines: [
    `${tool} no longer accepts the sign-in that we were given, so your move is waiting.`,
    "Nothing is lost. Once you have signed in, it goes on from where it stopped. A copy that waits longer than 7 days stops.",
  ],
  action: "Sign in again",
});

const stopped = ({ source, destination }: MailFacts, lead: string): MailText => ({
  subject: "Your move has stopped and needs you",
  title: "Your move has stopped",
  lines: [
    lead,
    `What was copied to ${destination} is still there, and nothing in ${source} was changed. You can start the copy again: it does not copy anything twice.`,
  ],
  action: "Open your move",
});

const undoWaits = ({ source, destination }: MailFacts): MailText => ({
  subject: "Your undo is waiting and may need you",
  title: "Your undo is waiting",
  lines: [
    `Something keeps us from removing what was copied to ${destination}. If ${destination} is switched off, locked, or needs a payment, it may need you.`,
    `We try again by ourselves every few minutes. What we removed so far stays removed, and nothing in ${source} was changed.`,
  ],
  action: "Open your move",
});

const refused = ({ source, destination }: MailFacts): MailText => ({
  subject: "Your move is paused and needs you",
  title: "Your move is paused",
  lines: [
    `${destination} refused many records in a row, for the same reason. We paused before more of them fail: your move shows the reason.`,
    `What was copied is still there, and nothing in ${source} was changed. Correct the cause, then let the move go on; it can try the refused records again after it. A move that stays paused for 7 days stops.`,
  ],
  action: "Open your move",
});

const needsYou = (facts: MailFacts): MailText => {
  switch (facts.about) {
    case "source_sign_in":
      return signIn(facts.source);
    case "destination_sign_in":
      return signIn(facts.destination);
    case "run_failed":
      return stopped(facts, "The copy ran into a problem that it could not get past.");
    case "run_stopped":
      return stopped(facts, "The copy had waited for you for too long, so we stopped it.");
    case "undo":
      return undoWaits(facts);
    case "refusals":
      return refused(facts);
    case "sponsorship_accepted":
      return {
        subject: `${facts.partner} will pay: start the move`,
        title: `${facts.partner} pays for your move`,
        lines: [
          `You can now move everything from ${facts.source}. Nothing more is copied before you start it.`,
        ],
        action: "Open your move",
      };
    case "sponsorship_rejected":
      return {
        subject: `${facts.partner} does not pay for your move`,
        title: `${facts.partner} declined to pay for your move`,
        lines: [
          "Your move shows how you can go on.",
          "If you do not, you need not do anything: nothing more is copied, and what was copied so far stays as it is.",
        ],
        action: "Open your move",
      };
    case "bought":
      return {
        subject: "Your payment has arrived: start the move",
        title: "Your move is paid for",
        lines: [
          `You can now move everything from ${facts.source}. Nothing more is copied before you start it.`,
        ],
        action: "Open your move",
      };
    default:
      return {
        subject: "Your move needs you before it can start",
        title: "Something is in the way of your move",
        lines: [
          "We checked everything before the copy, and found something that only you can decide or change. The copy has not started.",
        ],
        action: "See what is in the way",
      };
  }
};

const accounted = ({ figures, source }: MailFacts) => {
  if (figures === null) return "The copy has ended. The report shows where every record went.";
  return figures.addsUp
    ? `Every record that was to move from ${source} is accounted for. The report shows where each one went.`
    : "The copy has ended, but not every record is accounted for. The report shows more.";
};

/** The customer's mails in English, in the wizard's terms. */
export const en: MailCatalogue = {
  language: "en-US",
  text: (occasion, facts) => {
    const { source, destination } = facts;
    switch (occasion) {
      case "sample_ready":
        return {
          subject: "Your sample is ready to review",
          title: `Your sample is in ${destination}`,
          lines: [
            `We copied a sample from ${source} to ${destination}. Nothing in ${source} was changed.`,
            "Look at each record next to its original, then decide whether to move everything.",
          ],
          action: "Review the sample",
        };
      case "done":
        return {
          subject: `Your move from ${source} to ${destination} is done`,
          title: "Your move is done",
          lines: [accounted(facts)],
          action: "Open the report",
        };
      case "undone":
        return {
          subject: "Your move was undone",
          title: "The undo is done",
          lines: [
            `We removed what this move had copied to ${destination}. Nothing in ${source} was changed.`,
            "The page shows what was removed, and what was kept and why.",
          ],
          action: "See what was removed",
        };
      case "needs_you":
        return needsYou(facts);
    }
  },
  figures: { written: "Copied", matched: "Already there", skipped: "Skipped", failed: "Failed" },
  why: "You get this email because somebody with the link to this move asked for it at this address.",
  care: "Anyone with the link above can open this move, so please do not forward this email. It works for 30 days.",
  stop: "Stop these emails",
  runBy: (partner) => `Run for ${partner} on Portage.`,
};
