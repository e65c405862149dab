import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import codeEditorCss from "./code-editor.module.css";

interface CodeEditorProps {
  readonly labelledBy: string;
  readonly language: "markdown" | "json" | "plain";
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isInvalid: boolean;
}

/** A CodeMirror editor. Tab leaves the field, as in any form. */
export function CodeEditor({ labelledBy, language, value, onChange, isInvalid }: CodeEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, value });
  latest.current = { onChange, value };
  useEffect(() => {
    if (!container.current) return;
    const extensions = [
      history(),
      bracketMatching(),
      syntaxHighlighting(classHighlighter),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-labelledby": labelledBy }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        const text = state.doc.toString();
        // A value set from outside is no change by the user.
        if (docChanged && text !== latest.current.value) latest.current.onChange(text);
      }),
      // In skills a line of dashes ends the front matter, so it must not turn the text above it into a heading.
      ...(language === "markdown" ? [markdown({ extensions: { remove: ["SetextHeading"] } })] : [lineNumbers()]),
      ...(language === "json" ? [json()] : []),
    ];
    const editor = new EditorView({
      parent: container.current,
      state: EditorState.create({ doc: latest.current.value, extensions }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [language, labelledBy]);
  useEffect(() => {
    const document = view.current?.state.doc;
    if (!document || document.toString() === value) return;
    view.current?.dispatch({ changes: { from: 0, to: document.length, insert: value } });
  }, [value]);
  return <div ref={container} className={codeEditorCss.editor} data-invalid={isInvalid} />;
}
