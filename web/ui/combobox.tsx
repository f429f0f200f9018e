import { Combobox as Base } from "@base-ui/react/combobox";
import { Check, ChevronDown, X } from "lucide-react";
import { useField } from "./field.tsx";
import { Icon } from "./icon.tsx";
import "./styles/combobox.css";
import "./styles/field.css";
import { useUiStrings } from "./locale.tsx";

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Distinguishes options with the same name: an address. */
  readonly detail?: string;
}

interface ComboboxProps {
  readonly options: readonly Option[];
  readonly value: Option | null;
  readonly onChange: (chosen: Option | null) => void;
  readonly placeholder?: string;
  /** The accessible name, where no Field gives one. */
  readonly label?: string;
  /** Called with the typed text; the caller then supplies matching options. Without it the combobox filters its own. */
  readonly onSearch?: (text: string) => void;
  readonly searching?: boolean;
  readonly clearable?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

/** A select for many options: the customer types to filter. */
export const Combobox = ({
  options,
  value,
  onChange,
  placeholder,
  label,
  onSearch,
  searching = false,
  clearable = false,
  onOpenChange,
}: ComboboxProps) => {
  const words = useUiStrings();
  const field = useField();
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={onChange}
      itemToStringLabel={({ label: text }: Option) => text}
      isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
      {...(onOpenChange && { onOpenChange })}
      {...(onSearch && {
        filter: null,
        // Choosing an option also writes its label into the field; that must not start a search.
        onInputValueChange: (text: string, { reason }: { reason: string }) =>
          onSearch(reason === "input-change" ? text : ""),
      })}
    >
      <div className="combo">
        <Base.Input {...field} className="input" placeholder={placeholder} aria-label={label} />
        {clearable && (
          <Base.Clear className="combo-clear" aria-label={words.clear}>
            <Icon of={X} size="s" />
          </Base.Clear>
        )}
        <Base.Trigger className="combo-open" aria-label={words.show} tabIndex={-1}>
          <Icon of={ChevronDown} size="s" />
        </Base.Trigger>
      </div>
      <Base.Portal>
        <Base.Positioner sideOffset={4} className="combo-place">
          <Base.Popup className="combo-list" aria-busy={searching || undefined}>
            <Base.Empty className="combo-empty">{searching ? words.loading : words.nothingFound}</Base.Empty>
            <Base.List>
              {(option: Option) => (
                <Base.Item key={option.value} value={option} className="combo-item">
                  <Base.ItemIndicator className="combo-mark">
                    <Icon of={Check} size="s" />
                  </Base.ItemIndicator>
                  <span>
                    {option.label}
                    {option.detail !== undefined && <small>{option.detail}</small>}
                  </span>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
};
