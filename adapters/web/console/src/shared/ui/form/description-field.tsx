import { Textarea } from "@mantine/core";
import { useTexts } from "../../i18n/i18n.ts";
import { FormControl } from "./form.tsx";

interface DescriptionFieldProps {
  readonly name?: "description";
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Default: “Description”. */
  readonly label?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly testId?: string;
}

export function DescriptionField({ value, onChange, label, hint, isRequired = false, testId }: DescriptionFieldProps) {
  const { t } = useTexts();
  return (
    <FormControl name="description">
      <Textarea
        label={label ?? t("description")}
        description={hint}
        required={isRequired}
        autosize
        minRows={2}
        maxRows={12}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data-testid={testId}
      />
    </FormControl>
  );
}
