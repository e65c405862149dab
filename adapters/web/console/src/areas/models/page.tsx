import { Alert, Badge, Button, Card, Group, Stack, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Failure, Loaded, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Dialog, Page } from "../../shared/ui/page.tsx";
import { type EffectiveModel, type Model, models, type Trial } from "./api.ts";
import { ModelForm } from "./model-form.tsx";
import { useTexts } from "./texts.ts";
import { TrialResult } from "./trial-result.tsx";

export function ModelsPage() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [isOpen, dialog] = useDisclosure(false);
  const [chosen, setChosen] = useState<Model>();
  const list = useQuery({ queryKey: ["model"], queryFn: models.list });
  const open = (model?: Model) => {
    setChosen(model);
    dialog.open();
  };
  const saved = () => queries.invalidateQueries({ queryKey: ["model"] });
  return (
    <Page
      title={t("models")}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open()}>
          {t("addModel")}
        </Button>
      }
    >
      <Effective />
      <Loaded query={list}>
        {({ items }) => (
          <Stack gap="xs">
            {items.length === 0 && <Alert color="parley">{t("noModels")}</Alert>}
            {items.map((model) => (
              <ModelCard key={model.id} model={model} edit={() => open(model)} />
            ))}
          </Stack>
        )}
      </Loaded>
      <Dialog opened={isOpen} onClose={dialog.close} title={t(chosen ? "editModel" : "addModel")} size="lg">
        <ModelForm model={chosen} saved={saved} done={dialog.close} />
      </Dialog>
    </Page>
  );
}

/** Who answers conversations right now; this is what people look for first. */
function Effective() {
  const { t } = useTexts();
  const { data } = useQuery({ queryKey: ["model", "effective"], queryFn: models.effective });
  const effective = data?.effective;
  return (
    <Text size="sm" c="dimmed" mb="md" mih="1.4rem">
      {effective &&
        `${t("answeredBy")}: ${effective.protocol === "offline" ? t("offlineCompanion") : named(effective) || t("nobody")}`}
    </Text>
  );
}

function named({ model, protocol }: EffectiveModel): string {
  return model ? `${model} (${protocol})` : "";
}

function ModelCard({ model, edit }: { readonly model: Model; readonly edit: () => void }) {
  const { t } = useTexts();
  const [trial, setTrial] = useState<Trial>();
  const { tried, isBusy, error } = useTried([["model"]]);
  const test = tried(async () => {
    setTrial(undefined);
    setTrial(await models.test(model.id));
  });
  const { id, name, purpose, protocol, api_key_masked, has_api_key, api_key_env } = model;
  const key = has_api_key ? `${t("apiKey")} ${api_key_masked}` : (api_key_env ?? t("noKey"));
  return (
    <Card withBorder padding="sm" data-testid="model-card">
      <Group justify="space-between" gap="xs">
        <div style={{ minWidth: 0, flex: "1 1 16rem" }}>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            {model.is_active && <Badge>{t("active")}</Badge>}
            {purpose !== "chat" && (
              <Badge variant="default" tt="none">
                {purpose}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {[model.model, protocol, model.base_url, key].filter(Boolean).join(" · ")}
          </Text>
        </div>
        <Group gap={4}>
          <Switch
            size="sm"
            mr="xs"
            checked={model.enabled}
            onChange={tried(() => models.toggle(id))}
            aria-label={`${t("enabled")}: ${name}`}
          />
          <Button size="compact-sm" variant="default" onClick={test} loading={isBusy} data-testid="model-test">
            {t("test")}
          </Button>
          {!model.is_active && (
            <Button size="compact-sm" variant="light" disabled={!model.enabled} onClick={tried(() => models.apply(id))}>
              {t("use")}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={edit}>
            {t("edit")}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={tried(() => models.clone(id))}>
            {t("clone")}
          </Button>
          <ConfirmButton
            label={t("remove")}
            what={model.name}
            text={t("removeModel")}
            run={tried(() => models.remove(id), { throws: true })}
          />
        </Group>
      </Group>
      {trial && <TrialResult trial={trial} />}
      <Failure error={error} />
    </Card>
  );
}
