import { Eye } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Icon } from "./icon.tsx";
import { Input } from "./input.tsx";
import { useUiStrings } from "./locale.tsx";

/** A key or a password, hidden until the customer reveals it. Paste and password managers work. */
export const SecretInput = (props: Omit<ComponentProps<"input">, "type">) => {
  const words = useUiStrings();
  const [shown, setShown] = useState(false);
  return (
    <Input
      spellCheck={false}
      autoCapitalize="none"
      autoCorrect="off"
      {...props}
      type={shown ? "text" : "password"}
      className="mono"
      after={
        <button className="after" type="button" aria-pressed={shown} onClick={() => setShown(!shown)}>
          <Icon of={Eye} size="s" />
          {words.show}
        </button>
      }
    />
  );
};
