import type { OperatorStuck } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../ui/notice.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { stuckLooks } from "../../app/stuck-looks.ts";
import { useNow } from "../../app/use-now.ts";

/** Why nothing happens though something should, since when, and what to do. */
export const StuckNotice = ({ stuck }: { stuck: OperatorStuck }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const now = useNow();
  const cause = useWords("stuck");
  const waitsFor = useWords("waitsFor");
  const { tone, icon } = stuckLooks[stuck.waits_for];
  return (
    <Notice tone={tone === "bad" ? "bad" : "warn"} icon={icon} title={cause(stuck.cause)} className="c-gap">
      <p>
        {stuck.text}{" "}
        {t("stuck.since", {
          when: formats.dateTime(stuck.since),
          relative: formats.relative(stuck.since, now),
          waitsFor: waitsFor(stuck.waits_for),
        })}{" "}
        {stuck.about !== null && t("stuck.about", { about: stuck.about })}
      </p>
      <p>{t(`stuck.advice.${stuck.cause}`)}</p>
    </Notice>
  );
};
