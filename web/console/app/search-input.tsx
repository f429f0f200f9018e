import { Search } from "lucide-react";
import { useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";

interface SearchInputProps {
  readonly label: string;
  /** What the address says. */
  readonly value: string;
  /** What is typed, for the form around it. */
  readonly name: string;
}

/** A field for a search; give it the value as its key, so that it follows the address. */
export const SearchInput = ({ label, value, name }: SearchInputProps) => {
  const [text, setText] = useState(value);
  return (
    <span className="search">
      <Icon of={Search} />
      <Input
        type="search"
        name={name}
        placeholder={label}
        aria-label={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </span>
  );
};
