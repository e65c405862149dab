import { Textarea } from "@mantine/core";
import { useTexts } from "../i18n/i18n.ts";
import { At } from "./form.tsx";

interface DescriptionFieldProps {
  readonly value: string;
  readonly put: (text: string) => void;
  /** Default: the word for a description. */
  readonly label?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly testId?: string;
}

/** What something is for, in the words of who made it. */
export function DescriptionField({ value, put, label, hint, isRequired = false, testId }: DescriptionFieldProps) {
  const { t } = useTexts();
  return (
    <At name="description">
      <Textarea
        label={label ?? t("description")}
        description={hint}
        required={isRequired}
        autosize
        minRows={2}
        maxRows={12}
        value={value}
        onChange={({ currentTarget }) => put(currentTarget.value)}
        data-testid={testId}
      />
    </At>
  );
}
