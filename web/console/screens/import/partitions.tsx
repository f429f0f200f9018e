import type { OperatorImportDetail } from "@portage/contract/operator";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { StatusWord } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { WideTable } from "../../app/section.tsx";

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
  const now = new Date();
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
    <StatusWord key={line} tone="bad" icon={TriangleAlert}>
      {line}
    </StatusWord>
  ));
};

export const Partitions = ({ partitions }: { partitions: readonly Partition[] }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const stateName = useWords("runStates");
  return (
    <WideTable
      label={t("partitions.title", { count: partitions.length, number: formats.count(partitions.length) })}
    >
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
            <th scope="col">{t("partitions.trouble")}</th>
          </tr>
        </thead>
        <tbody>
          {partitions.map((each) => (
            <tr key={each.no}>
              <td className="nowrap">
                {each.stream} <span className="dim num">{each.no}</span>
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
              <td>
                <Trouble of={each} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
};
