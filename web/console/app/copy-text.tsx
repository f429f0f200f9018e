import { Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { useUiStrings } from "../../ui/locale.tsx";

/** A secret or a link, to be copied as a whole. */
export const CopyText = ({ text }: { text: string }) => {
  const words = useUiStrings();
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div className="row">
      <span className="code">{text}</span>
      <Button icon={Copy} onClick={copy}>
        {copied ? words.copied : words.copy}
      </Button>
    </div>
  );
};
