import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { parley } from "../../../shared/api/client.ts";
import textCss from "../../../shared/styles/text.module.css";
import type { Explanation } from "../../../shared/trace/explanation.ts";
import { toAddress } from "../../../shared/ui/page/address.ts";
import { useTexts } from "../texts.ts";
import { ExplanationSection } from "./mood-explanation.tsx";

interface FilterSectionProps {
  readonly filters: Explanation["filters"];
}

/** The filter rules that matched, each with its pattern as a link, its action, and the side it applied to. */
export function FilterSection({ filters }: FilterSectionProps) {
  const { t } = useTexts();
  const { data } = useQuery({
    queryKey: ["filter_rule"],
    queryFn: () => parley.get("/api/message-filter"),
    enabled: filters.length > 0,
  });
  if (filters.length === 0) return null;
  const { global = [], channels = {} } = data?.rules ?? {};
  const rules = new Map([global, ...Object.values(channels)].flat().map((rule) => [rule.id, rule]));
  const toSideText = (name: string) => t(name === "user" ? "filter_user" : "filter_ai");
  const toActionText = (name: string) =>
    t(name === "strip" ? "filter_strip" : name === "replace" ? "filter_replace" : "filter_recall");
  return (
    <ExplanationSection title={t("explainFilters")}>
      <ul className={textCss.plainList}>
        {filters.map((one) => (
          <li key={`${one.side} ${one.rule}`} data-testid="explain-rule">
            <RuleLink id={one.rule} rule={rules.get(one.rule)} isLoaded={data !== undefined} />
            {` · ${toActionText(one.action)} · ${toSideText(one.side)}`}
          </li>
        ))}
      </ul>
    </ExplanationSection>
  );
}

interface RuleLinkProps {
  readonly id: string;
  readonly rule: { readonly pattern: string; readonly type: string } | undefined;
  /** False while the rules are loading, or when the user may not read them. */
  readonly isLoaded: boolean;
}

function RuleLink({ id, rule, isLoaded }: RuleLinkProps) {
  const { t } = useTexts();
  if (!rule) return isLoaded ? t("filterGone") : id;
  return (
    <Link {...toAddress("/filter", { rule: id })} className={textCss.inlineLink} dir="auto">
      {rule.type === "regex" ? <code>{rule.pattern}</code> : rule.pattern}
    </Link>
  );
}
