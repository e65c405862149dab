import { cloneElement, createContext, useContext, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "../i18n/i18n.ts";
import { asSentence } from "./as-sentence.ts";
import { ChangedMeanwhile, type Meanwhile, meanwhileOf } from "./changed-meanwhile.tsx";
import { Failure } from "./common.tsx";
import type { FieldWords } from "./differences.tsx";
import { isAbout, type Problem, problemsOf } from "./field-problems.ts";
import formCss from "./form.module.css";
import { useMayChange } from "./may-change.tsx";
import { UnsavedGuard } from "./unsaved.tsx";
import { writtenIn } from "./written-text.ts";

interface Known {
  readonly name: string;
  /** What it is called, as it is drawn now. */
  readonly words: () => FieldWords;
}

interface Shown {
  readonly problems: readonly Problem[];
  /** The form has a field of this name, until it is gone. */
  readonly has: (field: Known) => () => void;
  readonly known: readonly Known[];
  readonly error: unknown;
  readonly meanwhile: Meanwhile | undefined;
  readonly written: () => string;
}

const FormProblems = createContext<Shown>({
  problems: [],
  has: () => () => {},
  known: [],
  error: undefined,
  meanwhile: undefined,
  written: () => "",
});

interface FormProps extends Omit<React.ComponentPropsWithoutRef<"form">, "onSubmit" | "action"> {
  /** Why what was sent last was refused. */
  readonly error: unknown;
  readonly submit: () => unknown;
  /** Whether something would be lost by leaving it; then it is asked first. */
  readonly isChanged: boolean;
  /** About the person who looks: also for who may change nothing else. */
  readonly isOwn?: boolean;
  /** Where it changes a record that others may change or delete, too. */
  readonly meanwhile?: Meanwhile | undefined;
}

/**
 * A form that sends to the service. What the service has against it stands at its fields (`At`), all of it at once, and the
 * first of them gets the focus; `FormFailure` says what belongs to none of them. What was written is not lost unasked. Who may change nothing only reads it.
 */
export function Form({ error, submit, isChanged, isOwn = false, meanwhile, children, ...rest }: FormProps) {
  const { t } = useTexts();
  const mayChange = useMayChange();
  const form = useRef<HTMLFormElement>(null);
  const [known, setKnown] = useState<readonly Known[]>([]);
  const problems = error ? problemsOf(error, t) : [];
  const [has] = useState(() => (field: Known) => {
    setKnown((before) => [...before, field]);
    return () => setKnown((before) => before.toSpliced(before.indexOf(field), 1));
  });
  const [written] = useState(() => () => (form.current ? writtenIn(form.current) : ""));
  useLayoutEffect(() => {
    if (error && form.current) toFirstWrong(form.current);
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
        void submit();
      }}
    >
      <UnsavedGuard isChanged={isChanged} />
      <fieldset className={formCss.formFields} disabled={!mayChange && !isOwn}>
        <FormProblems value={{ problems, has, known, error, meanwhile, written }}>{children}</FormProblems>
      </fieldset>
    </form>
  );
}

const WRONG = "[aria-invalid='true'], [data-wrong='true'] .cm-content";

/** What is folded away is unfolded: nobody looks for what is wrong where nothing can be seen. */
function toFirstWrong(form: HTMLFormElement): void {
  const wrong = [...form.querySelectorAll<HTMLElement>(WRONG)];
  for (const one of wrong) {
    const fold = one.closest("details");
    if (fold) fold.open = true;
    const panel = one.closest("[role='region'][aria-labelledby]")?.getAttribute("aria-labelledby");
    const control = panel ? document.getElementById(panel) : null;
    if (control?.getAttribute("aria-expanded") === "false") control.click();
  }
  wrong[0]?.focus();
}

interface AtProps {
  /** As it is called in what is sent. */
  readonly name: string;
  /** What it is called. Default: as its field says. */
  readonly label?: string;
  readonly children: React.ReactElement<FieldWords & { readonly error?: React.ReactNode }>;
}

/** A field with what the service has against it; what the field itself says comes first. */
export function At({ name, label, children }: AtProps) {
  const { problems, has } = useContext(FormProblems);
  const { data, label: own } = children.props;
  const words = useRef<FieldWords>({});
  words.current = { label: label ?? own, data };
  useLayoutEffect(() => has({ name, words: () => words.current }), [has, name]);
  const said = problems.find((problem) => isAbout(problem, name))?.said;
  return said === undefined || children.props.error ? children : cloneElement(children, { error: asSentence(said) });
}

/** Why the form was refused, as far as it stands at no field. */
export function FormFailure({ children }: { readonly children?: React.ReactNode }) {
  const { problems, known, error, meanwhile, written } = useContext(FormProblems);
  const what = meanwhile && meanwhileOf(error, meanwhile);
  if (what) {
    const { theirs, mine, anew, compared } = meanwhile;
    const words = (name: string) => known.find((field) => isCalled(field, name))?.words() ?? {};
    return (
      <ChangedMeanwhile
        what={what}
        error={error}
        theirs={theirs}
        mine={mine}
        anew={anew}
        compared={compared}
        written={written}
        words={words}
      />
    );
  }
  const rest = problems.filter((problem) => !known.some(({ name }) => isAbout(problem, name)));
  if (problems.length < 2) return rest.length > 0 && <Failure error={error}>{children}</Failure>;
  return rest.map(({ field, said }) => (
    <Failure key={field} error={new Error(field === undefined ? said : `${field}: ${said}`)} />
  ));
}

/** Of a part of what is sent the form knows the name within it. */
function isCalled(field: Known, name: string): boolean {
  return field.name === name || field.name.endsWith(`.${name}`);
}
