import Joi from "@hapi/joi";
import { AppError, type DefinedPlugin, definePlugin, type Tool, ToolTables, tool } from "@parley/core";

/** Tools that a workflow can use, and what they did. */
export interface HandTools {
  readonly plugin: DefinedPlugin;
  /** What `hand_write` wrote, oldest first. */
  readonly written: string[];
  /** How often `hand_fail` fails before it works. */
  failures: number;
  /** Calls of `hand_hang` that wait. */
  readonly hanging: { readonly signal: AbortSignal }[];
  /** Called by `hand_write` after it wrote. */
  wrote: (text: string) => void;
}

const text = Joi.object<{ text: string }, true>({ text: Joi.string().allow("").required() });
const nothing = Joi.object({});

export function createHandTools(): HandTools {
  const written: string[] = [];
  const hanging: { readonly signal: AbortSignal }[] = [];
  const common = { scope: "gateway.read", audience: ["ai"] } as const;
  const tools: readonly Tool[] = [
    tool<{ text: string }>({
      ...common,
      name: "hand_write",
      purpose: "Writes a line.",
      risk: "action",
      args: text,
      async run(args) {
        written.push(args.text);
        hands.wrote(args.text);
        return { written: args.text, lines: written.length };
      },
    }),
    tool({
      ...common,
      name: "hand_look",
      purpose: "Looks at the weather.",
      risk: "read",
      args: nothing,
      run: async () => ({ city: "Oslo", days: [{ sky: "snow", degrees: -4 }] }),
    }),
    tool({
      ...common,
      name: "hand_fail",
      purpose: "Fails.",
      risk: "action",
      args: nothing,
      async run() {
        if (hands.failures-- > 0) throw new AppError("upstream_failed", "the hand slipped");
        return "done";
      },
    }),
    tool({
      ...common,
      name: "hand_big",
      purpose: "Answers ten megabytes.",
      risk: "read",
      args: nothing,
      run: async () => "x".repeat(10_000_000),
    }),
    tool({
      ...common,
      name: "hand_hang",
      purpose: "Never ends by itself.",
      risk: "action",
      args: nothing,
      run: (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          hanging.push({ signal });
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        }),
    }),
  ];
  const hands: HandTools = {
    written,
    hanging,
    failures: 0,
    wrote: () => {},
    plugin: definePlugin({
      id: "hand-tools",
      register: ({ contribute }) => contribute(ToolTables, () => tools),
    }),
  };
  return hands;
}
