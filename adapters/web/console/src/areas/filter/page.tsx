import {
  Alert,
  Badge,
  Button,
  Group,
  NativeSelect,
  Switch,
  Tabs,
  Text,
  TextInput,
  UnstyledButton,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { useLocal } from "../../shared/i18n/local.ts";
import { Failure, Loaded, shortTimeOf, toldOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Dialog, Page } from "../../shared/ui/page.tsx";
import { RecordRow, RecordTable } from "../../shared/ui/record-table.tsx";
import { ShowMore, useLonger } from "../../shared/ui/show-more.tsx";
import { allRules, filter, holdsAnswers, type PlacedRule, type RuleListing } from "./api.ts";
import { TABS } from "./area.ts";
import { Hits } from "./hits.tsx";
import { RuleWindow } from "./rule-window.tsx";
import { useTexts } from "./texts.ts";
import { WordList } from "./word-list.tsx";

const CHANGED = [["filter_rule"]] as const;
const STEP = 100;

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

interface RulesProps {
  readonly listing: RuleListing;
  readonly add: () => void;
  readonly edit: (rule: PlacedRule) => void;
  readonly showHits: (ruleId: string) => void;
}

function Rules({ listing, add, edit, showHits }: RulesProps) {
  const { t } = useTexts();
  const [channel, setChannel] = useState("");
  // Who comes from a message that a rule changed sees that rule.
  const { rule: asked = "" } = useSearch({ strict: false }) as { readonly rule?: string };
  const [words, setWords] = useState(asked);
  // All of them are here already.
  const longer = useLonger(STEP, Number.POSITIVE_INFINITY);
  const wanted = useDeferredValue(words).trim().toLowerCase();
  const rules = useMemo(() => allRules(listing), [listing]);
  const found = useMemo(
    () =>
      rules.filter(
        (rule) =>
          (channel === "" || rule.channel === channel) &&
          (wanted === "" || `${rule.pattern}\n${rule.session_id}\n${rule.id}`.toLowerCase().includes(wanted)),
      ),
    [rules, channel, wanted],
  );
  const shown = found.slice(0, longer.limit);
  const places = [
    { value: "", label: t("anyPlace") },
    { value: "global", label: t("everywhere") },
    ...Object.keys(listing.rules.channels).map((id) => ({ value: id, label: id })),
  ];
  return (
    <>
      <Group align="flex-end" gap="sm" mb="sm">
        <NativeSelect
          label={t("place")}
          data={places}
          value={channel}
          onChange={({ currentTarget }) => setChannel(currentTarget.value)}
        />
        <TextInput
          aria-label={t("searchShort")}
          placeholder={t("searchShort")}
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
          style={{ flex: "1 1 12rem" }}
          data-testid="rule-search"
        />
        <Text size="sm" c="dimmed" pb={6} data-testid="rule-count">
          {found.length} / {rules.length}
        </Text>
      </Group>
      {found.length === 0 ? (
        rules.length === 0 ? (
          <Empty
            icon="filter"
            title={t("noRules")}
            hint={t("noRulesHint")}
            action={{ label: t("addRule"), run: add }}
          />
        ) : (
          <Text size="sm" c="dimmed">
            {t("noRulesFound")}
          </Text>
        )
      ) : (
        <RecordTable
          columns={[t("pattern"), t("place"), t("ruleAction"), t("target"), t("hits"), t("enabled")]}
          actions={t("more")}
        >
          {shown.map((rule) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              listing={listing}
              edit={() => edit(rule)}
              showHits={() => showHits(rule.id)}
            />
          ))}
        </RecordTable>
      )}
      <ShowMore {...longer} shown={shown.length} total={found.length} />
    </>
  );
}

interface RuleRowProps {
  readonly rule: PlacedRule;
  readonly listing: RuleListing;
  readonly edit: () => void;
  readonly showHits: () => void;
}

function RuleRow({ rule, listing, edit, showHits }: RuleRowProps) {
  const { t, language } = useTexts();
  const { tried, error } = useTried(CHANGED);
  const { id, pattern, type, action, filter_target, session_id, channel, enabled } = rule;
  const hits = listing.stats[id];
  return (
    <RecordRow
      testId="rule-row"
      cells={[
        <>
          {type === "regex" ? <code>{pattern}</code> : pattern}{" "}
          {listing.quarantined.includes(id) && (
            <Badge color="red" variant="light" title={t("setAsideHint")}>
              {t("setAside")}
            </Badge>
          )}
          <Failure error={error} />
        </>,
        session_id || (channel === "global" ? t("everywhere") : channel),
        t(action),
        t(filter_target === "user" ? "fromUsers" : filter_target === "ai" ? "fromAi" : "fromBoth"),
        hits ? (
          <UnstyledButton
            key="hits"
            className="inline-link"
            fz="sm"
            onClick={showHits}
            data-testid="rule-hits"
            aria-label={`${t("showHits")}: ${hits.hits}`}
            title={`${t("lastHit")}: ${shortTimeOf(hits.last_hit_at, language)}`}
          >
            {hits.hits}
          </UnstyledButton>
        ) : (
          <span key="hits" data-testid="rule-hits">
            0
          </span>
        ),
        <Switch
          key="enabled"
          size="sm"
          checked={enabled}
          onChange={tried(() => filter.update(id, { enabled: !enabled }))}
          aria-label={`${t("enabled")}: ${pattern}`}
        />,
      ]}
      actions={
        <>
          <Button size="compact-sm" variant="subtle" onClick={edit}>
            {t("edit")}
          </Button>
          <ConfirmButton
            label={t("remove")}
            what={pattern}
            text={t("removeRule")}
            run={tried(() => filter.remove(id), { throws: true })}
          />
        </>
      }
    />
  );
}
