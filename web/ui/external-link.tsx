import { ExternalLink as Elsewhere } from "lucide-react";
import type { ComponentProps } from "react";
import { Icon } from "./icon.tsx";
import { useUiStrings } from "./locale.tsx";

/** A link to another site that opens in a new tab and says so. */
export const ExternalLink = ({ children, ...rest }: ComponentProps<"a">) => {
  const words = useUiStrings();
  return (
    <a {...rest} target="_blank" rel="noopener noreferrer">
      {children}
      <Icon of={Elsewhere} size="s" className="ext" />
      <span className="vh">{` (${words.opensNewTab})`}</span>
    </a>
  );
};
