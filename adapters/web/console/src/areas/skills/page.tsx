import { Button, Card, Group, Stack, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Failure, Loaded, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { DescriptionField } from "../../shared/ui/form/description-field.tsx";
import { TextField } from "../../shared/ui/form/fields.tsx";
import { FileButton } from "../../shared/ui/form/file-button.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useLastKnown } from "../../shared/ui/form/use-last-known.ts";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { type Skill, skills, uploadSkill } from "./api.ts";
import { SkillFiles } from "./skill-files.tsx";
import skillsCss from "./skills.module.css";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["skill"]] as const;

export function SkillsPage() {
  const { t } = useTexts();
  const query = useQuery({ queryKey: ["skill"], queryFn: skills.list });
  const [opened, setOpened] = useState<string>();
  const [isWriting, writing] = useDisclosure(false);
  const sending = useAction(QUERY_KEYS);
  const folder = useRef<HTMLInputElement>(null);
  const send = (files: readonly File[]) => {
    const [first] = files;
    if (!first) return;
    const name = first.webkitRelativePath.split("/")[0] || first.name.replace(/\.\w+$/, "");
    void sending.toHandler(() => uploadSkill(name, files))();
  };
  const { record: openSkill, isRemoved } = useLastKnown(query.data?.items, opened);
  if (openSkill) return <SkillFiles skill={openSkill} isRemoved={isRemoved} close={() => setOpened(undefined)} />;
  return (
    <Page
      title={t("skills")}
      hint={t("hint")}
      actions={
        <>
          <FileButton accept=".zip,.skill" onChange={(file) => file && send([file])}>
            {(props) => (
              <Button {...props} variant="default" loading={sending.isBusy}>
                {t("uploadZip")}
              </Button>
            )}
          </FileButton>
          <input
            ref={folder}
            type="file"
            hidden
            {...{ webkitdirectory: "" }}
            onChange={({ currentTarget }) => {
              send([...(currentTarget.files ?? [])]);
              currentTarget.value = "";
            }}
            data-testid="skill-folder"
          />
          <Button variant="default" loading={sending.isBusy} onClick={() => folder.current?.click()}>
            {t("uploadFolder")}
          </Button>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={writing.open} data-testid="add-skill">
            {t("add")}
          </Button>
        </>
      }
    >
      <Failure error={sending.error} />
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="book" title={t("none")} hint={t("noneHint")} action={{ label: t("add"), run: writing.open }} />
          ) : (
            <Card withBorder p={0}>
              {items.map((skill) => (
                <SkillRow key={skill.id} skill={skill} open={() => setOpened(skill.id)} />
              ))}
            </Card>
          )
        }
      </Loaded>
      <Dialog opened={isWriting} onClose={writing.close} title={t("add")}>
        <NewSkill
          onDone={(id) => {
            writing.close();
            setOpened(id);
          }}
        />
      </Dialog>
    </Page>
  );
}

function SkillRow({ skill, open }: { readonly skill: Skill; readonly open: () => void }) {
  const { t } = useTexts();
  const { id, name, description, enabled } = skill;
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  return (
    <div className={skillsCss.skillRow} data-testid="skill-row">
      <div className={skillsCss.skillWords}>
        <button type="button" className={skillsCss.skillName} onClick={open}>
          {name}
        </button>
        <Text size="sm" c="dimmed" lineClamp={3}>
          {description}
        </Text>
        <Failure error={error} />
      </div>
      <Group gap={4} wrap="nowrap">
        <ConfirmButton
          icon="trash"
          label={t("remove")}
          what={name}
          text={t("removeHint")}
          run={toHandler(() => skills.remove(id), { throws: true })}
        />
        <Switch
          checked={enabled}
          disabled={isBusy}
          onChange={() => void toHandler(() => skills.setEnabled(id, !enabled))()}
          aria-label={`${t("mayBeUsed")}: ${name}`}
        />
      </Group>
    </div>
  );
}

function NewSkill({ onDone }: { readonly onDone: (id: string) => void }) {
  const { t } = useTexts();
  const { props, field, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => ({ name: "", description: "" }),
    create: skills.create,
    onSaved: (skill) => skill && onDone(skill.id),
  });
  return (
    <Form {...props}>
      <TextField
        label={t("name")}
        description={t("nameHint")}
        required
        maxLength={64}
        {...field("name")}
        testId="skill-name"
      />
      <Stack mt="sm">
        <DescriptionField
          {...field("description")}
          label={t("description")}
          hint={t("descriptionHint")}
          testId="skill-description"
        />
      </Stack>
      <FormErrors />
      <Group justify="flex-end" mt="md">
        <CancelButton />
        <Button type="submit" loading={isBusy} data-testid="create-skill">
          {t("create")}
        </Button>
      </Group>
    </Form>
  );
}
