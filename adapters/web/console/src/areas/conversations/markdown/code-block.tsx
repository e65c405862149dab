import { Suspense, useRef, useState } from "react";
import type { ExtraProps } from "react-markdown";
import { lazy } from "../../../shared/load-chunk.ts";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { useCopy } from "../../../shared/ui/text/use-copy.ts";
import messageCss from "../message/message.module.css";
import { useTexts } from "../texts.ts";
import codeBlockCss from "./code-block.module.css";

const PagePreview = lazy(async () => ({ default: (await import("./page-preview.tsx")).PagePreview }));
const Diagram = lazy(async () => ({ default: (await import("./diagram.tsx")).Diagram }));

interface CodeBlockProps {
  readonly node: ExtraProps["node"];
  readonly children?: React.ReactNode;
}

/** Code with its language and a button that copies it; diagrams are drawn, pages and drawings are shown when one asks. */
export function CodeBlock({ node, children }: CodeBlockProps) {
  const { t } = useTexts();
  const block = useRef<HTMLPreElement>(null);
  const [isShown, setShown] = useState(false);
  const language = detectLanguage(node);
  const isDrawing = language === "svg" || (language === "xml" && /<svg[\s>]/i.test(toText(node)));
  const canShow = isDrawing || language === "html" || language === "htm";
  const { isCopied, copy } = useCopy(() => block.current?.textContent ?? "");
  return (
    <div className={codeBlockCss.codeBlock} dir="ltr" data-testid="code-block">
      <div className={codeBlockCss.codeHead}>
        <span style={{ flex: 1 }}>{language}</span>
        {canShow && (
          <button
            type="button"
            className={messageCss.act}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
            data-testid="preview"
          >
            <Icon name="picture" size={13} />
            {t("preview")}
          </button>
        )}
        {copy && (
          <button type="button" className={messageCss.act} onClick={copy} data-testid="copy-code">
            <Icon name={isCopied ? "check" : "copy"} size={13} />
            {t(isCopied ? "copied" : "copyCode")}
          </button>
        )}
      </div>
      {language === "mermaid" && (
        <Suspense>
          <Diagram source={toText(node)} />
        </Suspense>
      )}
      {isShown && canShow && (
        <Suspense>
          <PagePreview source={toText(node)} isDrawing={isDrawing} />
        </Suspense>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre ref={block} tabIndex={0}>
        {children}
      </pre>
    </div>
  );
}

type Node = NonNullable<ExtraProps["node"]>;
type Child = Node["children"][number];

function detectLanguage(node: ExtraProps["node"]): string {
  const code = node?.children.find((child) => child.type === "element");
  const classes = code?.type === "element" ? code.properties.className : undefined;
  const named = Array.isArray(classes) ? classes.find((name) => String(name).startsWith("language-")) : undefined;
  return named === undefined ? "" : String(named).slice("language-".length);
}

function toText(node: Node | Child | undefined): string {
  if (!node) return "";
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(toText).join("") : "";
}
