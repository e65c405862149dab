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
  readonly isWrong: boolean;
}

/** Tab leaves the field, as everywhere in a form. */
export function CodeEditor({ labelledBy, language, value, onChange, isWrong }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ put: onChange, value });
  latest.current = { put: onChange, value };
  useEffect(() => {
    if (!place.current) return;
    const extensions = [
      history(),
      bracketMatching(),
      syntaxHighlighting(classHighlighter),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-labelledby": labelledBy }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        const text = state.doc.toString();
        // A new value that is set from outside is no change by the reader.
        if (docChanged && text !== latest.current.value) latest.current.put(text);
      }),
      // A line of dashes closes what stands before the text of a skill; it makes no heading of it.
      ...(language === "markdown" ? [markdown({ extensions: { remove: ["SetextHeading"] } })] : [lineNumbers()]),
      ...(language === "json" ? [json()] : []),
    ];
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({ doc: latest.current.value, extensions }),
    });
    view.current = made;
    return () => made.destroy();
  }, [language, labelledBy]);
  useEffect(() => {
    const document = view.current?.state.doc;
    if (!document || document.toString() === value) return;
    view.current?.dispatch({ changes: { from: 0, to: document.length, insert: value } });
  }, [value]);
  return <div ref={place} className={codeEditorCss.editor} data-wrong={isWrong} />;
}
