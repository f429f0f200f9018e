import { Input } from "../../ui/input.tsx";

interface DayInputProps {
  readonly label: string;
  /** For the form around it. */
  readonly name: string;
  /** What the address says; give it as the key, too, so that the field follows the address. */
  readonly value: string;
}

/** One end of a period, among the filters of a list. */
export const DayInput = ({ label, name, value }: DayInputProps) => (
  <label className="day">
    {label}
    <Input type="date" name={name} defaultValue={value} />
  </label>
);
