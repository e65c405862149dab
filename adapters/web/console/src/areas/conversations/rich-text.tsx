import { memo } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

// Raw HTML is shown as text; links open elsewhere and only as http(s) or mail; pictures of other hosts are not fetched.
const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  img: ({ src, alt }) => (
    <a href={String(src)} target="_blank" rel="noreferrer noopener">
      {alt || String(src)}
    </a>
  ),
  // What is wider than the screen scrolls by itself, with the keyboard too.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ children }) => (
    <div className="wide">
      <table>{children}</table>
    </div>
  ),
};

// Tables, task lists and bare links, which models write all the time.
const PLUGINS = [remarkGfm];

/** Markdown that cannot do anything but be read. */
export const RichText = memo(function RichText({ text }: { readonly text: string }) {
  return (
    <Markdown components={COMPONENTS} remarkPlugins={PLUGINS}>
      {text}
    </Markdown>
  );
});
