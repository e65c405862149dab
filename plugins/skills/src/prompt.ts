import type { PromptSource } from "@parley/core";
import { truncateWithEllipsis } from "@parley/core/channels";
import type { Skills } from "./skills.ts";
import { skillsTexts } from "./texts.ts";

const MAX_SKILLS_NAMED = 50;
const MAX_DESCRIPTION = 300;

/** Lists the available skills in the prompt; models read one when they need it. */
export function createSkillsSource(skills: () => Pick<Skills, "listEnabled">): PromptSource {
  return {
    id: "skills.list",
    key: "tool.instructions",
    title: skillsTexts.localized("part_list"),
    priority: 80,
    place: "system",
    isExternal: true,
    concerns: ({ capabilities }) => capabilities.supports_tools === true && skills().listEnabled().length > 0,
    async collect() {
      const all = skills().listEnabled();
      const lines = all
        .slice(0, MAX_SKILLS_NAMED)
        .map(({ name, description }) => `- ${name}: ${toOneLine(description)}`);
      const more =
        all.length > MAX_SKILLS_NAMED ? [`${all.length - MAX_SKILLS_NAMED} more: skill_list finds them.`] : [];
      return { text: [INTRODUCTION, ...lines, ...more].join("\n"), isData: false };
    },
  };
}

const INTRODUCTION =
  "You have these skills. Where one fits what is asked, call use_skill with its name first and follow the instructions that it gives.";

function toOneLine(text: string): string {
  return truncateWithEllipsis(text.replaceAll(/\s+/g, " ").trim(), MAX_DESCRIPTION);
}
