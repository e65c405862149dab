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

/** A code block with its language and a copy button. Mermaid diagrams are drawn; HTML and SVG have a preview button. */
export function CodeBlock({ node, children }: CodeBlockProps) {
  const { t } = useTexts();
  const block = useRef<HTMLPreElement>(null);
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const language = detectLanguage(node);
  const isDrawing = language === "svg" || (language === "xml" && /<svg[\s>]/i.test(toText(node)));
  const hasPreview = isDrawing || language === "html" || language === "htm";
  const { isCopied, copy } = useCopy(() => block.current?.textContent ?? "");
  return (
    <div className={codeBlockCss.codeBlock} dir="ltr" data-testid="code-block">
      <div className={codeBlockCss.codeHead}>
        <span style={{ flex: 1 }}>{language}</span>
        {hasPreview && (
          <button
            type="button"
            className={messageCss.act}
            aria-pressed={isPreviewOpen}
            onClick={() => setPreviewOpen(!isPreviewOpen)}
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
      {isPreviewOpen && hasPreview && (
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
  const className = Array.isArray(classes) ? classes.find((name) => String(name).startsWith("language-")) : undefined;
  return className === undefined ? "" : String(className).slice("language-".length);
}

function toText(node: Node | Child | undefined): string {
  if (!node) return "";
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(toText).join("") : "";
}
