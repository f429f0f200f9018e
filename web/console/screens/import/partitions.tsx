import type { OperatorImportDetail } from "@portage/contract/operator";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { WideTable } from "../../app/section.tsx";
import { useNow } from "../../app/use-now.ts";

type Partition = NonNullable<OperatorImportDetail["runs"][number]["partitions"]>[number];

const Lease = ({ seconds }: { seconds: number | null }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  if (seconds === null) return "–";
  const duration = formats.duration(Math.abs(seconds));
  return seconds >= 0 ? (
    t("partitions.leaseFor", { duration })
  ) : (
    <span className="bad">{t("partitions.leaseOver", { duration })}</span>
  );
};

/** What keeps a partition from getting on. */
const Trouble = ({ of }: { of: Partition }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const now = useNow();
  const lines = [
    of.failing_since !== null &&
      t("partitions.failing", {
        when: formats.relative(of.failing_since, now),
        number: formats.count(of.failures),
      }),
    of.in_doubt_since !== null && t("partitions.inDoubt", { when: formats.relative(of.in_doubt_since, now) }),
    of.attempts > 1 && t("partitions.attempts", { count: of.attempts, number: formats.count(of.attempts) }),
  ].filter((line) => line !== false);
  return lines.map((line) => (
    <span key={line} className="word why is-bad">
      <Icon of={TriangleAlert} />
      {line}
    </span>
  ));
};

interface PartitionsProps {
  /** The accessible name of the table. */
  readonly label: string;
  readonly partitions: readonly Partition[];
}

/** The parts of a run that have begun; the others have nothing to show. */
export const Partitions = ({ label, partitions: all }: PartitionsProps) => {
  const partitions = all.filter(({ state }) => state !== "waiting");
  const notBegun = all.length - partitions.length;
  const { t } = useTranslation("import");
  const formats = useFormats();
  const stateName = useWords("runStates");
  return (
    <>
      <WideTable label={label}>
        <table className="dt">
          <thead>
            <tr>
              <th scope="col">{t("partitions.stream")}</th>
              <th scope="col">{t("partitions.task")}</th>
              <th scope="col">{t("partitions.state")}</th>
              {(["read", "written", "failed"] as const).map((key) => (
                <th key={key} scope="col" className="r">
                  {t(`partitions.${key}`)}
                </th>
              ))}
              <th scope="col">{t("partitions.lease")}</th>
              <th scope="col">{t("partitions.position")}</th>
            </tr>
          </thead>
          <tbody>
            {partitions.map((each) => (
              <tr key={each.no}>
                <td className="nowrap">
                  {each.stream} <span className="dim num">{each.no}</span>
                  <Trouble of={each} />
                </td>
                <td>{each.task}</td>
                <td className="nowrap">{stateName(each.state)}</td>
                <td className="r num">{formats.count(each.read)}</td>
                <td className="r num">{formats.count(each.created + each.updated + each.matched)}</td>
                <td className={each.failed > 0 ? "r num bad" : "r num"}>{formats.count(each.failed)}</td>
                <td className="num">
                  <Lease seconds={each.ended_at === null ? each.lease_seconds : null} />
                </td>
                <td>
                  {each.position !== null && (
                    <code className="clip inline-block max-w-40 align-bottom" title={each.position}>
                      {each.position}
                    </code>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {notBegun > 0 && (
        <p className="dim px-4 py-2">
          {t("partitions.notBegun", { count: notBegun, number: formats.count(notBegun) })}
        </p>
      )}
    </>
  );
};
