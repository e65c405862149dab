import type { Options } from "react-markdown";
import rehypeKatex from "rehype-katex";
import remarkMath from "remark-math";

/** As MathML, which browsers draw themselves: no fonts are fetched. Nothing in a formula can link or load. */
const KATEX = { output: "mathml", trust: false, maxExpand: 500, maxSize: 20 } as const;

export const remark: NonNullable<Options["remarkPlugins"]> = [[remarkMath, { singleDollarTextMath: false }]];
export const rehype: NonNullable<Options["rehypePlugins"]> = [[rehypeKatex, KATEX]];
