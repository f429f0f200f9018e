import type { WizardCheckedFile } from "@portage/contract/wizard";
import { TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../../ui/notice.tsx";
import "../../../../ui/styles/table.css";
import { useFormats } from "../../../../ui/use-formats.ts";
import { ServerText } from "../../../app/server-text.tsx";

interface CheckedRowsProps {
  readonly checked: readonly WizardCheckedFile[];
  nameOf(file: string): string;
}

/** The rows that can't be moved as they are: where, and what to do. */
export const CheckedRows = ({ checked, nameOf }: CheckedRowsProps) => {
  const { t } = useTranslation("files");
  const formats = useFormats();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const troubled = checked.filter(({ bad, problem }) => bad > 0 || problem !== null);
  return (
    <section className="card mt-6" aria-label={t("checked.title")}>
      <div className="pad">
        <Notice ref={notice} tone="warn" icon={TriangleAlert} title={t("checked.title")} alert>
          <p className="muted">{t("checked.lead")}</p>
        </Notice>
      </div>
      {troubled.map(({ file, bad, rows, problems, problem }) => (
        <div key={file}>
          <p className="pad t14">
            {problem === null ? (
              t("checked.of", { bad: formats.count(bad), rows: formats.count(rows), name: nameOf(file) })
            ) : (
              <>
                <b>{nameOf(file)}</b> <ServerText>{problem}</ServerText>
              </>
            )}
          </p>
          {problems.length > 0 && (
            <div
              className="scroll-x"
              // It scrolls by keyboard too.
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              role="region"
              aria-label={t("checked.rowsOf", { name: nameOf(file) })}
            >
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t("checked.row")}</th>
                    <th scope="col">{t("checked.column")}</th>
                    <th scope="col">{t("checked.fix")}</th>
                  </tr>
                </thead>
                <tbody>
                  {problems.slice(0, 20).map(({ row, column, message }) => (
                    <tr key={`${row} ${column}`}>
                      <td className="num">{formats.count(row)}</td>
                      <td>{column ?? t("checked.whole")}</td>
                      <td>
                        <ServerText>{message.replace(/^Row \d+(, column “[^”]*”)?:? /, "")}</ServerText>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {bad > 20 && <p className="pad hint">{t("checked.more", { count: bad - 20 })}</p>}
        </div>
      ))}
    </section>
  );
};
