import { Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Failure, reasonOf } from "../shared/ui/common.tsx";
import { Field } from "./field.tsx";
import { type FormField, problemOf, type Values } from "./fields.ts";
import { isJsonDraft } from "./json-draft.ts";
import { useTexts } from "./texts.ts";

interface FieldsFormProps {
  readonly id: string;
  readonly fields: readonly FormField[];
  readonly values: Values;
  readonly put: (name: string, value: unknown) => void;
  readonly error: unknown;
  readonly submit: () => void;
}

/** The fields of a form. What the service says of one stands below it, and the field gets the focus. */
export function FieldsForm({ id, fields, values, put, error, submit }: FieldsFormProps) {
  const { t } = useTexts();
  const form = useRef<HTMLFormElement>(null);
  const names = fields.map(({ name }) => name);
  const problem = error ? problemOf(reasonOf(error, t), names) : undefined;
  useEffect(() => {
    if (!problem?.field) return;
    const field = form.current?.querySelector<HTMLElement>(`[data-field="${problem.field}"]`);
    (field?.matches("input,textarea,select")
      ? field
      : field?.querySelector<HTMLElement>("input,textarea,.cm-content")
    )?.focus();
  }, [problem?.field]);
  const errorOf = ({ name }: FormField) => {
    if (problem?.field === name) return problem.said;
    return isJsonDraft(values[name]) ? t("notJsonText") : undefined;
  };
  return (
    <form
      id={id}
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name]}
            error={errorOf(field)}
            put={(value) => put(field.name, value)}
          />
        ))}
        {problem && problem.field === undefined && <Failure error={error} />}
      </Stack>
    </form>
  );
}
