import { ArrowLeft, ArrowRight } from "lucide-react";
import type { WizardPreview, WizardStreamFacts } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Select } from "../../ui/select.tsx";
import { useFormats } from "../../ui/use-formats.ts";
import { useKinds } from "../app/use-kinds.ts";

interface PreviewHeadProps {
  readonly streams: readonly WizardStreamFacts[];
  readonly stream: string;
  readonly at: number;
  readonly shown: WizardPreview | undefined;
  readonly onStream: (stream: string) => void;
  readonly onAt: (at: number) => void;
}

/** Names the previewed record, with buttons for the previous and the next. */
export const PreviewHead = ({ streams, stream, at, shown, onStream, onAt }: PreviewHeadProps) => {
  const { t } = useTranslation("matching");
  const { title } = useKinds();
  const formats = useFormats();
  const total = shown?.of ?? 0;
  return (
    <div className="row wrap">
      {streams.length > 1 && (
        <Select
          className="!w-auto"
          aria-label={t("preview.stream")}
          value={stream}
          options={streams.map(({ name, label }) => ({ value: name, label: title(label) }))}
          onChange={(event) => onStream(event.target.value)}
        />
      )}
      {total > 1 && (
        <>
          <Button
            look="quiet"
            aria-label={t("preview.previous")}
            onClick={() => onAt((at + total - 1) % total)}
          >
            <Icon of={ArrowLeft} className="flip" />
          </Button>
          <span className="t14 muted num" role="status">
            {`${formats.count(at + 1)} / ${formats.count(total)}`}
          </span>
          <Button look="quiet" aria-label={t("preview.next")} onClick={() => onAt((at + 1) % total)}>
            <Icon of={ArrowRight} className="flip" />
          </Button>
        </>
      )}
    </div>
  );
};
