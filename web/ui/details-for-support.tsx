import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import "./styles/disclosure.css";
import { useUiStrings } from "./locale.tsx";

interface DetailsForSupportProps {
  /** Names and values: codes, the request id. No secrets, no data from a customer's records. */
  readonly details: readonly (readonly [name: string, value: string])[];
}

/** Technical details that a customer sends to support; collapsed, because only support needs them. */
export const DetailsForSupport = ({ details }: DetailsForSupportProps) => {
  const words = useUiStrings();
  const [copied, setCopied] = useState(false);
  const text = details.map(([name, value]) => `${name}: ${value}`).join("\n");
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <details className="more">
      <summary>
        <Icon of={ChevronRight} size="s" className="chev flip" />
        {words.detailsForSupport}
      </summary>
      <dl className="support t13">
        {details.map(([name, value]) => (
          <div key={name}>
            <dt className="dim">{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
      <Button look="quiet" onClick={copy}>
        {copied ? words.copied : words.copy}
      </Button>
    </details>
  );
};
