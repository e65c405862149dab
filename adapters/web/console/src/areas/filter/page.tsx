import { Alert, Button, Switch, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { Failure, Loaded, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { toAddress, usePathParams } from "../../shared/ui/page/address.ts";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { filter, hasReplyFilter, type RuleListing, type ScopedRule, toRuleList } from "./api.ts";
import { TABS } from "./area.ts";
import { HitList } from "./hit-list.tsx";
import { RuleDialog } from "./rule-dialog.tsx";
import { RuleList } from "./rule-list.tsx";
import { useTexts } from "./texts.ts";
import { WordList } from "./word-list.tsx";

const QUERY_KEYS = [["filter_rule"]] as const;

type OpenedDialog = { readonly kind: "rule"; readonly rule?: ScopedRule } | { readonly kind: "words" } | undefined;

export function FilterPage() {
  const { t } = useTexts();
  // New hits cause no live event, so the counts are refetched when the page opens.
  const listing = useQuery({ queryKey: ["filter_rule"], queryFn: filter.list, refetchOnMount: "always" });
  const { tab = "rules" } = usePathParams();
  const navigate = useNavigate();
  const [hitRuleId, setHitRuleId] = useState("");
  const selectTab = (to: string | null) => void navigate(toAddress(to === "hits" ? "/filter/hits" : "/filter"));
  const showHits = (ruleId: string) => {
    setHitRuleId(ruleId);
    selectTab("hits");
  };
  const [opened, setOpened] = useState<OpenedDialog>();
  const close = () => setOpened(undefined);
  const title = opened?.kind === "words" ? t("wordList") : t(opened?.rule ? "editRule" : "addRule");
  return (
    <Page
      title={t("filter")}
      hint={t("filterHint")}
      actions={
        <>
          <Button variant="default" onClick={() => setOpened({ kind: "words" })} data-testid="word-list">
            {t("wordList")}
          </Button>
          <Button
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setOpened({ kind: "rule" })}
            data-testid="add-rule"
          >
            {t("addRule")}
          </Button>
        </>
      }
    >
      <Loaded query={listing}>
        {(data) => (
          <>
            <MasterSwitch listing={data} />
            <Tabs value={tab} onChange={selectTab} mb="md">
              <Tabs.List>
                {TABS.map((value) => (
                  <Tabs.Tab key={value} value={value} data-testid={`tab-${value}`}>
                    {t(`tab_${value}`)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </Tabs>
            {tab === "hits" ? (
              <HitList listing={data} ruleId={hitRuleId} onSelectRule={setHitRuleId} />
            ) : (
              <RuleList
                listing={data}
                add={() => setOpened({ kind: "rule" })}
                edit={(rule) => setOpened({ kind: "rule", rule })}
                showHits={showHits}
              />
            )}
          </>
        )}
      </Loaded>
      <Dialog opened={opened !== undefined} onClose={close} title={title} size="lg">
        {opened?.kind === "words" && <WordList rules={listing.data ? toRuleList(listing.data) : []} />}
        {opened?.kind === "rule" && <RuleDialog id={opened.rule?.id} onDone={close} />}
      </Dialog>
    </Page>
  );
}

function MasterSwitch({ listing }: { readonly listing: RuleListing }) {
  const { t } = useTexts();
  const { toHandler, error } = useAction(QUERY_KEYS);
  const localize = useLocalized();
  const { enabled, problem, problem_texts: texts, invalid } = listing;
  return (
    <>
      <Switch
        label={t("filterOn")}
        checked={enabled}
        onChange={toHandler(() => filter.setEnabled(!enabled))}
        mb="sm"
        data-testid="filter-switch"
      />
      {hasReplyFilter(listing) && (
        <Text size="sm" c="dimmed" mb="sm" maw="46rem" data-testid="streaming-notice">
          {t("streamingNotice")}
        </Text>
      )}
      <Failure error={error} />
      {problem !== null && (
        <Alert color="red" my="sm" role="alert">
          {t("filterProblem")} {texts ? localize(texts) : problem}
        </Alert>
      )}
      {invalid.length > 0 && (
        <Alert color="yellow" my="sm">
          {t("filterInvalid", { count: invalid.length })}{" "}
          {invalid
            .slice(0, 3)
            .map(({ problem, id }) => `${id || "?"} – ${problem}`)
            .join("; ")}
        </Alert>
      )}
    </>
  );
}
