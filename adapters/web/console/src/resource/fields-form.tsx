import { Stack } from "@mantine/core";
import type { Meanwhile } from "../shared/ui/changed-meanwhile.tsx";
import { At, Form, FormFailure } from "../shared/ui/form.tsx";
import { useDraftFault } from "./draft-fault.ts";
import { Field } from "./field.tsx";
import type { FormField, Values } from "./fields.ts";

interface FieldsFormProps {
  readonly id: string;
  readonly fields: readonly FormField[];
  readonly values: Values;
  readonly put: (name: string, value: unknown) => void;
  readonly error: unknown;
  readonly submit: () => void;
  readonly isChanged: boolean;
  readonly meanwhile?: Meanwhile | undefined;
}

/** The fields of a form. What the service says of each stands below it. */
export function FieldsForm({ id, fields, values, put, error, submit, isChanged, meanwhile }: FieldsFormProps) {
  const fault = useDraftFault();
  return (
    <Form id={id} error={error} submit={submit} isChanged={isChanged} meanwhile={meanwhile}>
      <Stack gap="md">
        {fields.map((field) => (
          <At key={field.name} name={field.name}>
            <Field
              field={field}
              value={values[field.name]}
              error={fault(values[field.name])}
              put={(value) => put(field.name, value)}
            />
          </At>
        ))}
        <FormFailure />
      </Stack>
    </Form>
  );
}
