import { type ImportRecord, leftOver } from "../../../features/imports/index.ts";
import type { Partner } from "../../../features/partners/index.ts";
import { fill, type Texts, textsIn } from "../../../platform/texts/texts.ts";
import type { Answer } from "../../answer.ts";
import { problemPage } from "./problem-page.ts";

/** A wrong, incomplete, expired, revoked or replaced link; the page does not reveal which. */
export const unknownPage = (texts: Texts, partner: Partner | null): Answer => {
  const { common, unknown } = texts.pages;
  return problemPage({
    texts,
    status: 404,
    icon: "search",
    partner,
    title: unknown.title,
    lead: unknown.lead,
    list: {
      title: common.whatYouCanDo,
      items: [
        unknown.newest,
        partner ? fill(unknown.partner, { name: partner.name }) : unknown.person,
        unknown.care,
      ],
    },
  });
};

/** The address of a move without the link that opens it. */
export const noSessionPage = (texts: Texts, partner: Partner | null): Answer => {
  const { common, noSession } = texts.pages;
  return problemPage({
    texts,
    status: 401,
    icon: "key",
    partner,
    title: noSession.title,
    lead: noSession.lead,
    list: {
      title: common.whatYouCanDo,
      items: [
        noSession.again,
        partner ? fill(noSession.partner, { name: partner.name }) : noSession.person,
        noSession.private,
      ],
    },
  });
};

/** The customer returns from a tool's sign-in page with an unknown or expired state. */
export const lateSignInPage = (texts: Texts): Answer => {
  const { common, lateSignIn } = texts.pages;
  return problemPage({
    texts,
    status: 404,
    icon: "key",
    partner: null,
    title: lateSignIn.title,
    lead: lateSignIn.lead,
    list: { title: common.whatYouCanDo, items: [lateSignIn.back, lateSignIn.closed] },
  });
};

/**
 * An old address that leads nowhere: of an unknown import or record, or of one that was undone or erased, or whose time is over.
 * The page does not reveal which.
 */
export const noRecordPage = (texts: Texts): Answer => {
  const { title, lead, causes, incomplete, notMoved, over } = texts.pages.oldLink;
  return problemPage({
    texts,
    status: 404,
    icon: "search",
    partner: null,
    title,
    lead,
    list: { title: causes, items: [incomplete, notMoved, over] },
  });
};

const whereDataIs = (
  { closed }: Texts["pages"],
  { state }: ImportRecord,
  labels: { readonly source: string; readonly destination: string },
) => {
  const { copies, signInsErased } = leftOver(state);
  const later = copies === "removing" ? closed.erasedAfterUndo : closed.erasedAfterCopy;
  return [fill(closed.source, labels), fill(closed[copies], labels), signInsErased ? closed.erased : later];
};

/** A closed move; only the holder of its link sees this page. */
export const closedPage = (
  texts: Texts,
  found: ImportRecord,
  partner: Partner | null,
  labels: { readonly source: string; readonly destination: string },
): Answer => {
  const { closed } = texts.pages;
  const format = new Intl.DateTimeFormat(texts.language, { dateStyle: "long", timeZone: "UTC" });
  const day = found.closedAt && format.format(found.closedAt);
  const on = (dated: string, undated: string) => (day ? fill(dated, { day }) : undated);
  const list = { title: closed.where, items: whereDataIs(texts.pages, found, labels) };
  const common = { texts, status: 410, list, partner } as const;
  return found.state.closed === "archived"
    ? problemPage({
        ...common,
        icon: "box",
        title: closed.archivedTitle,
        lead: on(closed.archivedOn, closed.archived),
      })
    : problemPage({
        ...common,
        icon: "stopped",
        tone: "warn",
        title: closed.canceledTitle,
        lead: on(closed.canceledOn, closed.canceled),
      });
};

/** For the operator: the built pages are missing. */
export const notBuiltPage = (): Answer =>
  problemPage({
    texts: textsIn("en"),
    status: 503,
    icon: "box",
    tone: "warn",
    partner: null,
    list: null,
    title: "The wizard is not built",
    lead: "If you operate this service: run “npm run build:web”, or set WEB_FOLDER to the folder with the built pages.",
  });
