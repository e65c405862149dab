import { Stack } from "@mantine/core";
import { Field } from "../../shared/forms/field.tsx";
import type { FormField, Values } from "../../shared/forms/form-fields.ts";
import { useDraftError } from "../../shared/forms/use-draft-error.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import type { EditConflict } from "../../shared/ui/form/edit-conflict.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";

interface FieldsFormProps {
  readonly id: string;
  readonly fields: readonly FormField[];
  readonly values: Values;
  readonly onChange: (name: string, value: unknown) => void;
  readonly error: unknown;
  readonly onSubmit: () => unknown;
  readonly isChanged: boolean;
  readonly conflict?: EditConflict | undefined;
}

/** The fields of a form, each with its validation error. */
export function FieldsForm({ fields, values, onChange, ...form }: FieldsFormProps) {
  const localize = useLocalized();
  const findError = useDraftError();
  return (
    <Form {...form}>
      <Stack gap="md">
        {fields.map((field) => (
          <FormControl key={field.name} name={field.name} label={localize(field.title)}>
            <Field
              field={field}
              value={values[field.name]}
              error={findError(values[field.name])}
              onChange={(value) => onChange(field.name, value)}
            />
          </FormControl>
        ))}
        <FormErrors />
      </Stack>
    </Form>
  );
}
