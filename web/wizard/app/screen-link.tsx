import type { ComponentProps, MouseEvent } from "react";
import { useClient } from "../api/use-client.tsx";
import { useGo, usePrepare } from "./navigation.tsx";
import { pathOf } from "./place.ts";
import type { ScreenName } from "./screen-names.ts";

interface ScreenLinkProps extends Omit<ComponentProps<"a">, "href" | "onClick" | "target"> {
  readonly to: ScreenName;
}

/** Leaves clicks that open a new tab or window to the browser. */
const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Links to another screen of this import and preloads it on hover or focus. */
export const ScreenLink = ({ to, children, ...rest }: ScreenLinkProps) => {
  const { importId } = useClient();
  const go = useGo();
  const prepareScreen = usePrepare();
  const prepare = () => prepareScreen(to);
  const follow = (event: MouseEvent) => {
    if (!isPlain(event)) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a {...rest} href={pathOf(importId, to)} onClick={follow} onPointerEnter={prepare} onFocus={prepare}>
      {children}
    </a>
  );
};
