import { basename } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { GroupOutcome } from "./attack-group.ts";

interface GroupCounts {
  tried: number;
  broke: number;
}

/** Reporter that prints, after a run, how many attacks of each group were tried and how many failed to get through. */
export function attackSummary(print: (text: string) => void = (text) => process.stdout.write(text)): Reporter {
  return {
    onTestRunEnd(modules) {
      const lines = new Map<string, GroupCounts>();
      for (const module of modules.filter(({ moduleId }) => moduleId.includes("/tests/attack/"))) {
        for (const test of module.children.allTests()) countTest(lines, module, test);
      }
      if (lines.size > 0) print(`\n${formatTable(lines)}\n\n`);
    },
  };
}

/** Counts a test; one outside a group counts as one attack of its file. */
function countTest(lines: Map<string, GroupCounts>, module: TestModule, test: TestCase): void {
  const { state } = test.result();
  if (state === "skipped") return;
  const outcome = (test.meta() as { readonly attacks?: GroupOutcome }).attacks;
  const name = outcome ? test.name : basename(module.moduleId).replace(/\.(test|flood)\.ts$/, "");
  const line = lines.get(name) ?? { tried: 0, broke: 0 };
  line.tried += outcome?.tried ?? 1;
  line.broke += outcome?.broke.length ?? (state === "failed" ? 1 : 0);
  lines.set(name, line);
}

function formatTable(lines: ReadonlyMap<string, GroupCounts>): string {
  const all = { tried: 0, broke: 0 };
  for (const { tried, broke } of lines.values()) {
    all.tried += tried;
    all.broke += broke;
  }
  const width = Math.max(...[...lines.keys()].map((name) => name.length));
  const formatRow = (name: string, ...cells: readonly (string | number)[]) =>
    `${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(7)).join("")}`;
  return [
    formatRow("attacks", "tried", "held", "broke"),
    ...[...lines].map(([name, { tried, broke }]) => formatRow(name, tried, tried - broke, broke)),
    formatRow("all", all.tried, all.tried - all.broke, all.broke),
  ].join("\n");
}
