import { cloneElement, createContext, useContext, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import { Failure } from "../common.tsx";
import { useCanChange } from "../page/permissions.tsx";
import { asSentence } from "../text/as-sentence.ts";
import type { FieldInfo } from "./conflict-differences.tsx";
import { type EditConflict, EditConflictNotice, getConflictKind } from "./edit-conflict.tsx";
import { concernsField, type Problem, toProblems } from "./field-problems.ts";
import formCss from "./form.module.css";
import { readFormText } from "./form-text.ts";
import { UnsavedGuard } from "./unsaved-guard.tsx";

interface FormField {
  readonly name: string;
  /** What it is called, as it is drawn now. */
  readonly words: () => FieldInfo;
}

interface FormState {
  readonly problems: readonly Problem[];
  /** The form has a field of this name, until it is gone. */
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
  /** Why what was sent last was refused. */
  readonly error: unknown;
  readonly onSubmit: () => unknown;
  /** Whether something would be lost by leaving it; then it is asked first. */
  readonly isChanged: boolean;
  /** About the person who looks: also for who may change nothing else. */
  readonly isOwn?: boolean;
  /** Where it changes a record that others may change or delete, too. */
  readonly conflict?: EditConflict | undefined;
}

/**
 * A form that sends to the service. What the service has against it stands at its fields (`At`), all of it at once, and the
 * first of them gets the focus; `FormFailure` says what belongs to none of them. What was written is not lost unasked. Who may change nothing only reads it.
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
  const mayChange = useCanChange();
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
        // A form in a window that belongs to a part of another form.
        event.stopPropagation();
        void onSubmitForm();
      }}
    >
      <UnsavedGuard isChanged={isChanged} />
      <fieldset className={formCss.formFields} disabled={!mayChange && !isOwn}>
        <FormContext value={{ problems, register, fields, error, conflict, toText }}>{children}</FormContext>
      </fieldset>
    </form>
  );
}

const INVALID_FIELD = "[aria-invalid='true'], [data-wrong='true'] .cm-content";

/** What is folded away is unfolded: nobody looks for what is wrong where nothing can be seen. */
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
  /** As it is called in what is sent. */
  readonly name: string;
  /** What it is called. Default: as its field says. */
  readonly label?: string;
  readonly children: React.ReactElement<FieldInfo & { readonly error?: React.ReactNode }>;
}

/** A field with what the service has against it; what the field itself says comes first. */
export function FormControl({ name, label, children }: FormControlProps) {
  const { problems, register } = useContext(FormContext);
  const { data, label: ownLabel } = children.props;
  const fieldInfo = useRef<FieldInfo>({});
  fieldInfo.current = { label: label ?? ownLabel, data };
  useLayoutEffect(() => register({ name, words: () => fieldInfo.current }), [register, name]);
  const errorText = problems.find((problem) => concernsField(problem, name))?.text;
  return errorText === undefined || children.props.error
    ? children
    : cloneElement(children, { error: asSentence(errorText) });
}

/** Why the form was refused, as far as it stands at no field. */
export function FormErrors({ children }: { readonly children?: React.ReactNode }) {
  const { problems, fields, error, conflict, toText } = useContext(FormContext);
  const conflictKind = conflict && getConflictKind(error, conflict);
  if (conflictKind) {
    const { onTakeTheirs: theirs, onKeepMine: mine, onSaveAsNew: anew, comparison: compared } = conflict;
    const fieldInfo = (name: string) => fields.find((field) => matchesName(field, name))?.words() ?? {};
    return (
      <EditConflictNotice
        kind={conflictKind}
        error={error}
        onTakeTheirs={theirs}
        onKeepMine={mine}
        onSaveAsNew={anew}
        comparison={compared}
        toText={toText}
        fieldInfo={fieldInfo}
      />
    );
  }
  const rest = problems.filter((problem) => !fields.some(({ name }) => concernsField(problem, name)));
  if (problems.length < 2) return rest.length > 0 && <Failure error={error}>{children}</Failure>;
  return rest.map(({ field, text: said }) => (
    <Failure key={field} error={new Error(field === undefined ? said : `${field}: ${said}`)} />
  ));
}

/** Of a part of what is sent the form knows the name within it. */
function matchesName(field: FormField, name: string): boolean {
  return field.name === name || field.name.endsWith(`.${name}`);
}
