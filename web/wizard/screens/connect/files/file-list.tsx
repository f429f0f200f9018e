import { CircleCheck, FileSpreadsheet, Hourglass, PauseCircle, WifiOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Bar } from "../../../../ui/bar.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { useFormats } from "../../../../ui/use-formats.ts";
import type { UploadingFile } from "./use-uploads.ts";

interface FileListProps {
  readonly files: readonly UploadingFile[];
  onRemove(id: string): Promise<void>;
}

const FileState = ({ file }: { file: UploadingFile }) => {
  const { t } = useTranslation("files");
  const formats = useFormats();
  const { name, size, received, transfer } = file;
  const percent = formats.percent(received / size);
  if (received >= size)
    return (
      <p className="hint row">
        <Icon of={CircleCheck} size="s" className="ok" /> {t("list.done")} · {formats.bytes(size)}
      </p>
    );
  const waitsFor = transfer?.waitsFor ?? null;
  return (
    <>
      <Bar
        label={t("list.progress", { name, percent })}
        share={received / size}
        thickness="thin"
        live={transfer !== null && waitsFor === null}
        {...(transfer === null || waitsFor !== null ? { tone: "warn" as const } : {})}
      />
      <p className="hint row">
        {transfer === null ? (
          <>
            <Icon of={PauseCircle} size="s" /> {t("list.paused", { percent })}
          </>
        ) : waitsFor === "connection" ? (
          <>
            <Icon of={WifiOff} size="s" /> {t("list.offline", { percent })}
          </>
        ) : waitsFor === "service" ? (
          <>
            <Icon of={Hourglass} size="s" /> {t("list.waiting", { percent })}
          </>
        ) : (
          t("list.of", { done: formats.bytes(received), total: formats.bytes(size) })
        )}
      </p>
    </>
  );
};

/** The uploaded files, with their progress. */
export const FileList = ({ files, onRemove }: FileListProps) => {
  const { t } = useTranslation("files");
  const [removing, setRemoving] = useState<readonly string[]>([]);
  if (files.length === 0) return null;
  const remove = async (id: string) => {
    setRemoving((before) => [...before, id]);
    await onRemove(id);
    setRemoving((before) => before.filter((each) => each !== id));
  };
  return (
    <ul className="uploads" aria-label={t("list.label")}>
      {files.map((file) => (
        <li key={file.id}>
          <Icon of={FileSpreadsheet} />
          <div className="min-w-0">
            <b className="break-words">{file.name}</b>
            <FileState file={file} />
          </div>
          <Button
            look="quiet"
            busy={removing.includes(file.id)}
            aria-label={t("list.removeLabel", { name: file.name })}
            onClick={() => void remove(file.id)}
          >
            {t("list.remove")}
          </Button>
        </li>
      ))}
    </ul>
  );
};
