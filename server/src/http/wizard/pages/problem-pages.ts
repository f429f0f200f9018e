import { type ImportRecord, leftOver } from "../../../features/imports/index.ts";
import type { Partner } from "../../../features/partners/index.ts";
import type { Answer } from "../../answer.ts";
import { problemPage } from "./problem-page.ts";

/** A wrong, incomplete, expired, revoked or replaced link; the page does not reveal which. */
export const unknownPage = (partner: Partner | null): Answer =>
  problemPage({
    status: 404,
    icon: "search",
    partner,
    title: "We cannot find this move",
    lead: "The link may be incomplete, or a newer one has replaced it. If you had a move running, it is not affected by this page.",
    list: {
      title: "What you can do",
      items: [
        "Open the link from the newest email about your move.",
        partner
          ? `Or open your move from ${partner.name} again: that always opens the current one.`
          : "Or ask the person who sent you the link for the current one.",
        "Anyone with the link can open this move. Share it with care.",
      ],
    },
  });

/** The address of a move without the link that opens it. */
export const noSessionPage = (partner: Partner | null): Answer =>
  problemPage({
    status: 401,
    icon: "key",
    partner,
    title: "Open your link again",
    lead: "This browser is not signed in to the move, or was away for too long. Your move is not affected by this page.",
    list: {
      title: "What you can do",
      items: [
        "Open the link to your move again, in this browser.",
        partner
          ? `Or open your move from ${partner.name}.`
          : "Or ask the person who sent you the link for a new one.",
        "If you opened it in a private window, that window may have forgotten it.",
      ],
    },
  });

/** The customer returns from a tool's sign-in page with an unknown or expired state. */
export const lateSignInPage = (): Answer =>
  problemPage({
    status: 404,
    icon: "key",
    partner: null,
    title: "This sign-in took too long",
    lead: "Nothing was connected or changed. For your safety, a sign-in must be finished within 15 minutes, and works once.",
    list: {
      title: "What you can do",
      items: [
        "Go back to the page of your move and sign in again.",
        "If that page is closed, open the link to your move again.",
      ],
    },
  });

const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

const copiesText: Readonly<Record<ReturnType<typeof leftOver>["copies"], string>> = {
  nothing: "nothing of this move is in it.",
  there: "what was copied before stays there.",
  removed: "what was copied was removed before. Only what your team had edited or uses elsewhere was kept.",
  stopping: "the copying is being stopped. What was copied until then stays there.",
  removing: "an undo is under way. What it does not remove stays there.",
};

const whereDataIs = ({ state }: ImportRecord, labels: { source: string; destination: string }) => {
  const { copies, signInsErased } = leftOver(state);
  const here = signInsErased
    ? "Here: your sign-ins are erased."
    : `Here: your sign-ins are erased as soon as the ${copies === "removing" ? "undo has ended" : "copying has stopped"}.`;
  return [`${labels.source}: unchanged.`, `${labels.destination}: ${copiesText[copies]}`, here];
};

/** A closed move; only the holder of its link sees this page. */
export const closedPage = (
  found: ImportRecord,
  partner: Partner | null,
  labels: { readonly source: string; readonly destination: string },
): Answer => {
  const on = found.closedAt ? ` on ${day.format(found.closedAt)}` : "";
  const list = { title: "Where your data is now", items: whereDataIs(found, labels) };
  const common = { status: 410, list, partner } as const;
  const anew = `start a new move in ${labels.destination}`;
  return found.state.closed === "archived"
    ? problemPage({
        ...common,
        icon: "box",
        title: "This move has ended",
        lead: `We closed it${on}, because it had not been used for a long time. To move your data, ${anew}.`,
      })
    : problemPage({
        ...common,
        icon: "stopped",
        tone: "warn",
        title: `This move was canceled${on}`,
        lead: `Nothing more will be copied. To move your data after all, ${anew}.`,
      });
};

/** For the operator: the built pages are missing. */
export const notBuiltPage = (): Answer =>
  problemPage({
    status: 503,
    icon: "box",
    tone: "warn",
    partner: null,
    list: null,
    title: "The wizard is not built",
    lead: "If you operate this service: run “npm run build:web”, or set WEB_FOLDER to the folder with the built pages.",
  });
