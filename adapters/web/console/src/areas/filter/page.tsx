import { Alert, Button, Switch, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useLocal } from "../../shared/i18n/local.ts";
import { Failure, Loaded, toldOf, useTried } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Dialog, Page } from "../../shared/ui/page.tsx";
import { allRules, filter, holdsAnswers, type PlacedRule, type RuleListing } from "./api.ts";
import { TABS } from "./area.ts";
import { Hits } from "./hits.tsx";
import { RuleWindow } from "./rule-window.tsx";
import { Rules } from "./rules.tsx";
import { useTexts } from "./texts.ts";
import { WordList } from "./word-list.tsx";

const CHANGED = [["filter_rule"]] as const;

type Opened = { readonly kind: "rule"; readonly rule?: PlacedRule } | { readonly kind: "words" } | undefined;

export function FilterPage() {
  const { t } = useTexts();
  // Hits are counted without a word: whoever comes here wants the newest.
  const listing = useQuery({ queryKey: ["filter_rule"], queryFn: filter.list, refetchOnMount: "always" });
  const { tab = "rules" } = useParams({ strict: false }) as { readonly tab?: string };
  const navigate = useNavigate();
  const [ruleOfHits, setRuleOfHits] = useState("");
  const go = (to: string | null) => void navigate({ to: to === "hits" ? "/filter/hits" : ("/filter" as string) });
  const showHits = (rule: string) => {
    setRuleOfHits(rule);
    go("hits");
  };
  const [opened, setOpened] = useState<Opened>();
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
            <Tabs value={tab} onChange={go} mb="md">
              <Tabs.List>
                {TABS.map((value) => (
                  <Tabs.Tab key={value} value={value} data-testid={`tab-${value}`}>
                    {t(`tab_${value}`)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </Tabs>
            {tab === "hits" ? (
              <Hits listing={data} rule={ruleOfHits} choose={setRuleOfHits} />
            ) : (
              <Rules
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
        {opened?.kind === "words" && <WordList rules={listing.data ? allRules(listing.data) : []} />}
        {opened?.kind === "rule" && <RuleWindow id={opened.rule?.id} done={close} />}
      </Dialog>
    </Page>
  );
}

function MasterSwitch({ listing }: { readonly listing: RuleListing }) {
  const { t } = useTexts();
  const { tried, error } = useTried(CHANGED);
  const local = useLocal();
  const { enabled, problem, problem_texts: texts, invalid } = listing;
  return (
    <>
      <Switch
        label={t("filterOn")}
        checked={enabled}
        onChange={tried(() => filter.toggle(!enabled))}
        mb="sm"
        data-testid="filter-switch"
      />
      {holdsAnswers(listing) && (
        <Text size="sm" c="dimmed" mb="sm" maw="46rem" data-testid="streaming-held">
          {t("streamingHeld")}
        </Text>
      )}
      <Failure error={error} />
      {problem !== null && (
        <Alert color="red" my="sm" role="alert">
          {t("filterProblem")} {texts ? local(texts) : problem}
        </Alert>
      )}
      {invalid.length > 0 && (
        <Alert color="yellow" my="sm">
          {t("filterInvalid", { count: invalid.length })}{" "}
          {invalid
            .slice(0, 3)
            .map(
              ({ problem: why, id, detail }) => `${id || "?"} – ${toldOf({ error: why, ...(detail && { detail }) })}`,
            )
            .join("; ")}
        </Alert>
      )}
    </>
  );
}
