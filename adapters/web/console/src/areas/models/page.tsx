import { Button, NativeSelect, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { refetch } from "../../shared/live/refetch.ts";
import { Loaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { toOption } from "../../shared/ui/form/to-option.ts";
import { useSearchText } from "../../shared/ui/page/address.ts";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { type EffectiveModel, type Model, models, type Purpose } from "./api.ts";
import { ModelForm } from "./form/model-form.tsx";
import { PRESETS } from "./form/presets.ts";
import { ModelQueue } from "./model-queue.tsx";
import { Playground } from "./playground.tsx";
import { toPurposeName, useTexts } from "./texts.ts";
import { ModelUsage } from "./usage.tsx";

export function ModelsPage() {
  const { t } = useTexts();
  const queries = useQueryClient();
  // The first-model card of a conversation links here with a preset.
  const presetParam = useSearchText("preset");
  const preset = PRESETS.find(({ id }) => id === presetParam);
  const [isOpen, dialog] = useDisclosure(preset !== undefined);
  const [isPlaying, playground] = useDisclosure(false);
  const [editedModel, setEditedModel] = useState<Model>();
  const [purpose, setPurpose] = useState<Purpose["id"]>("chat");
  const list = useQuery({ queryKey: ["model"], queryFn: models.list });
  const purposes = useQuery({ queryKey: ["purpose"], queryFn: models.listPurposes });
  const openForm = (model?: Model) => {
    setEditedModel(model);
    dialog.open();
  };
  const refetchModels = () => refetch(queries, ["model"]);
  const all = list.data?.items ?? [];
  // Enabled models come first, because the comparison starts with the first two.
  const chatModels = all
    .filter((model) => model.purpose === "chat")
    .toSorted((a, b) => Number(b.enabled) - Number(a.enabled));
  const purposeIds = (purposes.data?.items ?? []).map(({ id }) => id);
  const countModels = (id: string) => all.filter((model) => model.purpose === id).length;
  return (
    <Page
      title={t("models")}
      actions={
        <>
          {chatModels.length > 0 && (
            <Button variant="default" onClick={playground.open}>
              {t("playground")}
            </Button>
          )}
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => openForm()}>
            {t("addModel")}
          </Button>
        </>
      }
    >
      <EffectiveModelNotice all={all} />
      <NativeSelect
        label={t("purpose")}
        maw="20rem"
        mb="md"
        value={purpose}
        onChange={({ currentTarget }) => setPurpose(toOption(purposeIds, currentTarget.value))}
        data={(purposes.data?.items ?? []).map((one) => ({
          value: one.id,
          label: countModels(one.id) > 0 ? `${toPurposeName(one, t)} (${countModels(one.id)})` : toPurposeName(one, t),
        }))}
        data-testid="model-purpose"
      />
      <Loaded query={list}>
        {({ items }) => (
          <ModelQueue
            key={purpose}
            purpose={purpose}
            all={items.filter((model) => model.purpose === purpose)}
            edit={openForm}
            add={() => openForm()}
          />
        )}
      </Loaded>
      <ModelUsage />
      <Dialog opened={isOpen} onClose={dialog.close} title={t(editedModel ? "editModel" : "addModel")} size="lg">
        <ModelForm
          model={editedModel}
          preset={editedModel ? undefined : preset}
          purpose={purpose}
          onSaved={refetchModels}
          onDone={dialog.close}
        />
      </Dialog>
      <Dialog opened={isPlaying} onClose={playground.close} title={t("playground")} size="xl">
        <Playground all={chatModels} />
      </Dialog>
    </Page>
  );
}

/** The model that currently answers conversations. */
function EffectiveModelNotice({ all }: { readonly all: readonly Model[] }) {
  const { t } = useTexts();
  const { data } = useQuery({ queryKey: ["model", "effective"], queryFn: models.getEffective });
  const effective = data?.effective;
  return (
    <Text size="sm" c="dimmed" mb="md" mih="1.4rem">
      {effective &&
        `${t("answeredBy")}: ${effective.protocol === "offline" ? t("offlineCompanion") : toModelName(effective, all) || t("nobody")}`}
    </Text>
  );
}

/** Returns the configured name of a model; one set by the environment has only its model name. */
function toModelName({ model_id, model, protocol }: EffectiveModel, all: readonly Model[]): string {
  const configuredName = all.find(({ id }) => id === model_id)?.name;
  if (configuredName !== undefined) return configuredName === model ? configuredName : `${configuredName} (${model})`;
  return model ? `${model} (${protocol})` : "";
}
