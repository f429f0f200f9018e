import { Upload } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../ui/button.tsx";
import { classNames } from "../../../../ui/class-names.ts";
import { Icon } from "../../../../ui/icon.tsx";
import { useFormats } from "../../../../ui/use-formats.ts";

interface DropZoneProps {
  readonly fileBytes: number;
  onFiles(files: readonly File[]): void;
}

/** The limit is in units of 1,024, and the page shows units of 1,000: a round number that is true in both. */
const inGigabytes = (bytes: number) =>
  bytes >= 1024 ** 3 ? Math.floor(bytes / 1024 ** 3) * 1000 ** 3 : bytes;

const accepted = ".csv,.tsv,.txt,.xlsx,.xlsm,text/csv";

/** Takes files that are dropped or chosen; the button is for keyboards and phones. */
export const DropZone = ({ fileBytes, onFiles }: DropZoneProps) => {
  const { t } = useTranslation("files");
  const formats = useFormats();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <div
      className={classNames("drop", over && "over")}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon of={Upload} size="l" />
      <p className="t">{over ? t("drop.over") : t("drop.title")}</p>
      <p className="hint desk">{t("drop.or")}</p>
      <input
        ref={input}
        type="file"
        multiple
        accept={accepted}
        className="vh"
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again, to resume.
          currentTarget.value = "";
        }}
      />
      <Button onClick={() => input.current?.click()}>{t("drop.choose")}</Button>
      <p className="hint">{t("drop.limit", { size: formats.bytes(inGigabytes(fileBytes)) })}</p>
    </div>
  );
};
