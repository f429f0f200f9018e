import type { OperatorImportDetail } from "@portage/contract/operator";
import { isStatusCode, statusTexts } from "@portage/contract/statuses";
import { CircleAlert, CircleDot, UserRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { statusLooks } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { Section } from "../../app/section.tsx";
import { useNow } from "../../app/use-now.ts";

type Entry = OperatorImportDetail["timeline"][number];

const lookOf = ({ kind, what, from_status, to_status }: Entry) => {
  if (kind === "staff") return { icon: UserRound, tone: what.includes(":") ? "bad" : "brand" };
  if (what === "attention_required" || what === "run_failed") return { icon: CircleAlert, tone: "bad" };
  if (to_status !== null && to_status !== from_status && isStatusCode(to_status))
    return statusLooks[to_status];
  return { icon: CircleDot, tone: "idle" };
};

const TimelineEntry = ({ of }: { of: Entry }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const now = useNow();
  const eventName = useWords("events");
  const { icon, tone } = lookOf(of);
  const [what = "", code] = of.what.split(": ");
  const who = () => {
    const [actor = ""] = of.by.split(":");
    if (of.kind === "staff") return of.by;
    if (actor === "customer" || actor === "partner" || actor === "system") return t(`timeline.${actor}`);
    return actor === "operator" ? t("timeline.staff") : of.by;
  };
  const { to_status } = of;
  const details = [
    to_status !== null && to_status !== of.from_status && isStatusCode(to_status)
      ? t("timeline.toStatus", { status: statusTexts[to_status] })
      : null,
    t("timeline.by", { who: who() }),
    of.reason === null ? null : t("timeline.reason", { reason: of.reason }),
  ].filter((part) => part !== null);
  return (
    <li className={`is-${tone}`}>
      <Icon of={icon} />
      <span>
        {code === undefined ? eventName(what) : t("timeline.refused", { what: eventName(what), code })}
      </span>
      <time dateTime={of.at} title={formats.dateTime(of.at)}>
        {formats.relative(of.at, now)}
      </time>
      <small>{details.join(" · ")}</small>
    </li>
  );
};

/** What happened to the import and what the staff did about it, newest first. */
export const Timeline = ({ entries }: { entries: readonly Entry[] }) => {
  const { t } = useTranslation("import");
  return (
    <Section title={t("timeline.title")}>
      <ol className="tl">
        {entries.map((each) => (
          <TimelineEntry key={`${each.at}/${each.kind}/${each.what}/${each.request_id}`} of={each} />
        ))}
      </ol>
    </Section>
  );
};
