import { cloneElement, createContext, useContext, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import { Failure } from "../common.tsx";
import { useCanChange } from "../page/permissions.tsx";
import { toSentenceCase } from "../text/to-sentence-case.ts";
import type { FieldInfo } from "./conflict-differences.tsx";
import { type EditConflict, EditConflictNotice, getConflictKind } from "./edit-conflict.tsx";
import { concernsField, type Problem, toProblems } from "./field-problems.ts";
import formCss from "./form.module.css";
import { readFormText } from "./form-text.ts";
import { UnsavedGuard } from "./unsaved-guard.tsx";

interface FormField {
  readonly name: string;
  /** Label and options as currently rendered. */
  readonly getInfo: () => FieldInfo;
}

interface FormState {
  readonly problems: readonly Problem[];
  /** Registers a field by its name; the returned function unregisters it. */
  readonly register: (field: FormField) => () => void;
  readonly fields: readonly FormField[];
  readonly error: unknown;
  readonly conflict: EditConflict | undefined;
  readonly toText: () => string;
}

const FormContext = createContext<FormState>({
  problems: [],
  register: () => () => {},
  fields: [],
  error: undefined,
  conflict: undefined,
  toText: () => "",
});

interface FormProps extends Omit<React.ComponentPropsWithoutRef<"form">, "onSubmit" | "action"> {
  /** The error of the last submit. */
  readonly error: unknown;
  readonly onSubmit: () => unknown;
  /** True when leaving would lose changes; a dialog asks first. */
  readonly isChanged: boolean;
  /** True for forms of the own account, which every user may change. */
  readonly isOwn?: boolean;
  /** Set where others may change or delete the same record. */
  readonly conflict?: EditConflict | undefined;
}

/**
 * A form that sends to the service. Validation errors appear at their fields (`FormControl`), all at once, and the
 * first invalid field gets the focus; `FormErrors` shows the others. Unsaved changes are not lost without asking.
 * Read-only without permission.
 */
export function Form({
  error,
  onSubmit: onSubmitForm,
  isChanged,
  isOwn = false,
  conflict,
  children,
  ...rest
}: FormProps) {
  const { t } = useTexts();
  const canChange = useCanChange();
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState<readonly FormField[]>([]);
  const problems = error ? toProblems(error, t) : [];
  const [register] = useState(() => (field: FormField) => {
    setFields((before) => [...before, field]);
    return () => setFields((before) => before.toSpliced(before.indexOf(field), 1));
  });
  const [toText] = useState(() => () => (form.current ? readFormText(form.current) : ""));
  useLayoutEffect(() => {
    if (error && form.current) focusFirstInvalid(form.current);
  }, [error]);
  return (
    <form
      {...rest}
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // React also passes the event to a form around the dialog of this one.
        event.stopPropagation();
        void onSubmitForm();
      }}
    >
      <UnsavedGuard isChanged={isChanged} />
      <fieldset className={formCss.formFields} disabled={!canChange && !isOwn}>
        <FormContext value={{ problems, register, fields, error, conflict, toText }}>{children}</FormContext>
      </fieldset>
    </form>
  );
}

const INVALID_FIELD = "[aria-invalid='true'], [data-invalid='true'] .cm-content";

/** Expands collapsed sections with invalid fields and focuses the first one. */
function focusFirstInvalid(form: HTMLFormElement): void {
  const invalid = [...form.querySelectorAll<HTMLElement>(INVALID_FIELD)];
  for (const one of invalid) {
    const details = one.closest("details");
    if (details) details.open = true;
    const panel = one.closest("[role='region'][aria-labelledby]")?.getAttribute("aria-labelledby");
    const control = panel ? document.getElementById(panel) : null;
    if (control?.getAttribute("aria-expanded") === "false") control.click();
  }
  invalid[0]?.focus();
}

interface FormControlProps {
  /** Name of the field in the request. */
  readonly name: string;
  /** Label; default is that of the field. */
  readonly label?: string;
  readonly children: React.ReactElement<FieldInfo & { readonly error?: React.ReactNode }>;
}

/** A field with its validation error; an error the field itself sets has precedence. */
export function FormControl({ name, label, children }: FormControlProps) {
  const { problems, register } = useContext(FormContext);
  const { data, label: ownLabel } = children.props;
  const fieldInfo = useRef<FieldInfo>({});
  fieldInfo.current = { label: label ?? ownLabel, data };
  useLayoutEffect(() => register({ name, getInfo: () => fieldInfo.current }), [register, name]);
  const errorText = problems.find((problem) => concernsField(problem, name))?.text;
  return errorText === undefined || children.props.error
    ? children
    : cloneElement(children, { error: toSentenceCase(errorText) });
}

/** Errors of the form that belong to no field. */
export function FormErrors({ children }: { readonly children?: React.ReactNode }) {
  const { problems, fields, error, conflict, toText } = useContext(FormContext);
  const conflictKind = conflict && getConflictKind(error, conflict);
  if (conflictKind) {
    const { onTakeTheirs, onKeepMine, onSaveAsNew, comparison } = conflict;
    const fieldInfo = (name: string) => fields.find((field) => matchesName(field, name))?.getInfo() ?? {};
    return (
      <EditConflictNotice
        kind={conflictKind}
        error={error}
        onTakeTheirs={onTakeTheirs}
        onKeepMine={onKeepMine}
        onSaveAsNew={onSaveAsNew}
        comparison={comparison}
        toText={toText}
        fieldInfo={fieldInfo}
      />
    );
  }
  const rest = problems.filter((problem) => !fields.some(({ name }) => concernsField(problem, name)));
  if (problems.length < 2) return rest.length > 0 && <Failure error={error}>{children}</Failure>;
  return rest.map(({ field, text: message }) => (
    <Failure key={field} error={new Error(field === undefined ? message : `${field}: ${message}`)} />
  ));
}

/** True when the form's field has this name, or this name with a prefix. */
function matchesName(field: FormField, name: string): boolean {
  return field.name === name || field.name.endsWith(`.${name}`);
}
