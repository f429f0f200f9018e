import { ExternalLink as Elsewhere } from "lucide-react";
import type { ComponentProps } from "react";
import { Icon } from "./icon.tsx";
import { useWords } from "./words.tsx";

/** Leads to another site, in a tab of its own, and says so. */
export const ExternalLink = ({ children, ...rest }: ComponentProps<"a">) => {
  const words = useWords();
  return (
    <a {...rest} target="_blank" rel="noopener noreferrer">
      {children}
      <Icon of={Elsewhere} size="s" className="ext" />
      <span className="vh">{` (${words.opensNewTab})`}</span>
    </a>
  );
};
