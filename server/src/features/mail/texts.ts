import { fill, type Texts, textsIn } from "../../platform/texts/texts.ts";
import type { Occasion } from "../mail-outbox/index.ts";
import type { MailCatalogue, MailFacts, MailText } from "./catalogue.ts";

type MailTexts = Texts["mail"];

/** The lines of a mail, before the names are put in. */
type Draft = Omit<MailText, "action"> & { readonly action?: string };

const needsYou = (texts: MailTexts, about: string): Draft => {
  const {
    startMissed,
    signIn,
    stopped,
    undoWaits,
    refused,
    sponsored,
    notSponsored,
    bought,
    blocked,
    startNow,
  } = texts;
  switch (about) {
    case "source_sign_in":
    case "destination_sign_in":
      return { ...signIn, lines: [signIn.lead, signIn.next] };
    case "run_failed":
      return { ...stopped, lines: [stopped.failed, stopped.next] };
    case "run_stopped":
      return { ...stopped, lines: [stopped.waited, stopped.next] };
    case "undo":
      return { ...undoWaits, lines: [undoWaits.lead, undoWaits.next] };
    case "refusals":
      return { ...refused, lines: [refused.lead, refused.next] };
    case "sponsorship_accepted":
      return { ...sponsored, lines: [startNow] };
    case "sponsorship_rejected":
      return { ...notSponsored, lines: [notSponsored.lead, notSponsored.next] };
    case "start_missed":
      return { ...startMissed, lines: [startMissed.lead, startMissed.next] };
    case "bought":
      return { ...bought, lines: [startNow] };
    default:
      return { ...blocked, lines: [blocked.lead] };
  }
};

const accounted = ({ done }: MailTexts, { figures }: MailFacts) => {
  if (figures === null) return done.ended;
  return figures.addsUp ? done.addsUp : done.differs;
};

/** As the final page does: a move of which records failed is not called done. */
const ended = (texts: MailTexts, facts: MailFacts): Draft => {
  const { done, partly, none } = texts;
  const { figures } = facts;
  if (figures === null || figures.failed === 0) return { ...done, lines: [accounted(texts, facts)] };
  const said = figures.written + figures.matched > 0 ? partly : none;
  const lines = [said.lead, ...(figures.addsUp ? [] : [done.differs])];
  return { ...said, action: done.action, lines };
};

const draft = (texts: MailTexts, occasion: Occasion, facts: MailFacts): Draft => {
  const { sampleReady, undone, startsSoon } = texts;
  switch (occasion) {
    case "sample_ready":
      return { ...sampleReady, lines: [sampleReady.lead, sampleReady.next] };
    case "done":
      return ended(texts, facts);
    case "undone":
      return { ...undone, lines: [undone.lead, undone.next] };
    case "starts_soon":
      return { ...startsSoon, lines: [startsSoon.lead, startsSoon.next] };
    case "needs_you":
      return needsYou(texts, facts.about);
  }
};

/** The time of a planned start in its own time zone: "Saturday, November 21, 2026 at 10:00 PM GMT+1 (Europe/Berlin)". */
const plannedTime = (about: string, language: string): string => {
  const [startsAt = "", timeZone = "UTC"] = about.split(" ", 2);
  const format = new Intl.DateTimeFormat(language, {
    ...({ weekday: "long", year: "numeric", month: "long", day: "numeric" } as const),
    ...({ hour: "numeric", minute: "2-digit", timeZoneName: "short", timeZone } as const),
  });
  return `${format.format(new Date(startsAt))} (${timeZone})`;
};

/** The customer's mails in a language, else in English, in the wizard's terms. */
export const catalogueOf = (wanted: string): MailCatalogue => {
  const { language, mail } = textsIn(wanted);
  return {
    language,
    text: (occasion, facts) => {
      const { partner, source, destination } = facts;
      const tool = facts.about === "destination_sign_in" ? destination : source;
      const time = occasion === "starts_soon" ? plannedTime(facts.about, language) : "";
      const put = (text: string) => fill(text, { partner, source, destination, tool, time });
      const { subject, title, lines, action = mail.open } = draft(mail, occasion, facts);
      return { subject: put(subject), title: put(title), lines: lines.map(put), action };
    },
    figures: mail.figures,
    why: mail.why,
    care: mail.care,
    stop: mail.stop,
    runBy: (partner) => fill(mail.runBy, { partner }),
  };
};
