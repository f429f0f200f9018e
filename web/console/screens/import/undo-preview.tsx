import type { OperatorUndoPreview } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../ui/notice.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { Answered } from "../../app/answered.tsx";
import { useAnswer } from "../../api/queries.ts";

/** What an undo would remove and leave, as far as the destination tells. */
export const UndoPreview = ({ id }: { id: string }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const query = useAnswer<OperatorUndoPreview>(`/imports/${id}/undo-preview`);
  const amount = (value: number, exact: boolean) =>
    exact || value === 0 ? formats.count(value) : t("ask.undo.about", { number: formats.count(value) });
  return (
    <div>
      {query.isPending && <p className="dim">{t("ask.undo.looking")}</p>}
      <Answered query={query} lines={2}>
        {({ looked, streams }) => (
          <div className="stack-2">
            {!looked && (
              <Notice tone="warn">
                <p>{t("ask.undo.unlooked")}</p>
              </Notice>
            )}
            <table className="dt">
              <thead>
                <tr>
                  <th scope="col">{t("ask.undo.stream")}</th>
                  <th scope="col" className="r">
                    {t("ask.undo.goes")}
                  </th>
                  <th scope="col" className="r">
                    {t("ask.undo.stays")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {streams.map(({ stream, label, willGo, willStay, exact }) => (
                  <tr key={stream}>
                    <td>{label}</td>
                    <td className="r num">{amount(willGo, exact)}</td>
                    <td className="r num">{amount(willStay, exact)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Answered>
    </div>
  );
};
