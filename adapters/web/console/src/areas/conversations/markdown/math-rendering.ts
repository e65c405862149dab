import type { Options } from "react-markdown";
import rehypeKatex from "rehype-katex";
import remarkMath from "remark-math";

/** MathML output needs no fonts; without `trust` a formula can neither link nor load anything. */
const KATEX = { output: "mathml", trust: false, maxExpand: 500, maxSize: 20 } as const;

export const remarkPlugins: NonNullable<Options["remarkPlugins"]> = [[remarkMath, { singleDollarTextMath: false }]];
export const rehypePlugins: NonNullable<Options["rehypePlugins"]> = [[rehypeKatex, KATEX]];
