import { Input, Skeleton } from "@mantine/core";
import { Suspense, useId } from "react";
import { lazy } from "../../load-chunk.ts";

const CodeEditor = lazy(async () => ({ default: (await import("./code-editor.tsx")).CodeEditor }));

interface EditorProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly error?: React.ReactNode;
  readonly isRequired: boolean;
  readonly language: "markdown" | "json" | "plain";
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A field for long texts and code; the editor is loaded on demand. */
export function Editor({ label, description, error, isRequired, language, value, onChange }: EditorProps) {
  const id = useId();
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      required={isRequired}
      labelElement="div"
      labelProps={{ id }}
    >
      <Suspense fallback={<Skeleton h={120} />}>
        <CodeEditor labelledBy={id} language={language} value={value} onChange={onChange} isInvalid={Boolean(error)} />
      </Suspense>
    </Input.Wrapper>
  );
}
