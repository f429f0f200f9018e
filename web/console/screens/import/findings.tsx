import type { OperatorImportDetail } from "@portage/contract/operator";
import { useTranslation } from "react-i18next";
import { Pill } from "../../../ui/pill.tsx";
import type { Tone } from "../../../ui/tone.ts";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Section } from "../../app/section.tsx";
import { useRights } from "../../app/use-rights.ts";
import { Button } from "../../../ui/button.tsx";
import { findingAddress } from "../records/address.ts";
import type { RequestedAction } from "./actions.tsx";
import { actionsFor } from "./actions-for.ts";

const tones: Readonly<Record<string, Tone>> = {
  failed: "bad",
  skipped: "warn",
  kept: "idle",
  changed: "info",
};

interface FindingCountProps {
  readonly importId: string;
  readonly finding: Pick<OperatorImportDetail["findings"][number], "stream" | "kind" | "code" | "count">;
}

const FindingCount = ({ importId, finding: { stream, kind, code, count } }: FindingCountProps) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const { seesAll } = useRights();
  const address = findingAddress(importId, { stream, kind, code });
  if (!seesAll || address === null) return formats.count(count);
  return (
    <ConsoleLink to={address} aria-label={t("findings.list", { number: formats.count(count), code, stream })}>
      {formats.count(count)}
    </ConsoleLink>
  );
};

/** Records by what became of them and why; what failed can be tried again, cause by cause. */
export const Findings = ({
  of,
  ask,
}: {
  of: OperatorImportDetail;
  ask: (asked: RequestedAction) => void;
}) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const kindName = useWords("findings");
  const mayRetry = actionsFor(of, useRights()).includes("retry");
  const copies = Object.values(of.items).reduce((sum, count) => sum + count, 0);
  return (
    <Section
      title={t("findings.title")}
      aside={
        <span className="dim num">
          {t("findings.copies")}: {formats.count(copies)}
        </span>
      }
    >
      {of.findings.length === 0 ? (
        <p className="pad dim">{t("findings.none")}</p>
      ) : (
        <table className="dt cards">
          <thead>
            <tr>
              <th scope="col">{t("findings.cause")}</th>
              <th scope="col">{t("findings.kind")}</th>
              <th scope="col">{t("findings.examples")}</th>
              <th scope="col" className="r">
                {t("findings.count")}
              </th>
            </tr>
          </thead>
          <tbody>
            {of.findings.map(({ stream, kind, code, count, examples }) => (
              <tr key={`${stream}/${kind}/${code}`}>
                <td>
                  {stream}
                  <span className="sub mono">{code}</span>
                </td>
                <td className="full">
                  <span className="row wrap">
                    <Pill tone={tones[kind] ?? "idle"}>{kindName(kind)}</Pill>
                    {mayRetry && kind === "failed" && (
                      <Button
                        className="sm"
                        aria-label={t("findings.retryOne", { code, stream })}
                        onClick={() => ask({ name: "retryCause", stream, code })}
                      >
                        {t("findings.retry")}
                      </Button>
                    )}
                  </span>
                </td>
                <td className="hide">
                  <span className="sub mono">{examples.slice(0, 3).join(", ")}</span>
                </td>
                <td className="r num">
                  <FindingCount importId={of.id} finding={{ stream, kind, code, count }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
};
