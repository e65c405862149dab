import { Alert, Button, Group, Progress, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import textCss from "../../shared/styles/text.module.css";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { people } from "./api.ts";
import { useTexts } from "./texts.ts";

const POLL_MS = 500;
const QUERY_KEYS = [["person"], ["session"]] as const;
const ERASED_KINDS = ["eraseChats", "eraseGroups", "eraseMemories", "eraseFiles", "eraseTraces"] as const;

interface ErasePersonProps {
  readonly personId: string;
  readonly name: string;
  readonly close: () => void;
}

/** Shows what will be erased and what stays, asks to type the name, and then shows the progress. */
export function ErasePerson({ personId, name, close }: ErasePersonProps) {
  const { t } = useTexts();
  const [erasure, setErasure] = useState<Erasure>();
  const { props, draft, update, isValid, isBusy } = useRecordForm({
    queryKeys: QUERY_KEYS,
    toDraft: () => ({ typedName: "" }),
    isValid: ({ typedName }) => typedName.trim().normalize() === name.trim().normalize(),
    async create() {
      const { job_id: jobId, counts } = await people.erase(personId);
      setErasure({ jobId, counts });
      return undefined;
    },
  });
  if (erasure || isBusy) return <ErasureProgress name={name} erasure={erasure} close={close} />;
  return (
    <Form {...props} isChanged={false}>
      <Text size="sm">{t("erasedKinds")}</Text>
      <ul className={textCss.plainList}>
        {ERASED_KINDS.map((what) => (
          <li key={what}>{t(what)}</li>
        ))}
      </ul>
      <Text size="sm" c="dimmed" mt="xs">
        {t("retainedHint")}
      </Text>
      <TextInput
        mt="md"
        label={t("typeName", { name })}
        description={t("cannotBeUndone")}
        value={draft.typedName}
        onChange={({ currentTarget }) => update({ typedName: currentTarget.value })}
        autoComplete="off"
        data-autofocus
        data-testid="erase-name"
      />
      <FormErrors />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {t("cancel")}
        </Button>
        <Button type="submit" color="red" disabled={!isValid} data-testid="confirm-erase">
          {t("erase")}
        </Button>
      </Group>
    </Form>
  );
}

/** The progress of an erasure; `counts` is null while it runs. */
interface Erasure {
  readonly jobId: string;
  readonly counts: Readonly<Record<string, number>> | null;
}

interface ErasureProgressProps {
  readonly name: string;
  readonly erasure: Erasure | undefined;
  readonly close: () => void;
}

function ErasureProgress({ name, erasure, close }: ErasureProgressProps) {
  const { t } = useTexts();
  const { counts, jobId } = erasure ?? {};
  const job = useQuery({
    queryKey: ["job", "erasure", jobId ?? ""],
    queryFn: async () => (await (jobId === undefined ? people.findLatestErasure() : people.getJob(jobId))) ?? null,
    refetchInterval: POLL_MS,
    enabled: !counts,
  });
  const status = jobId === undefined ? undefined : job.data?.status;
  const isDone = Boolean(counts) || status === "done";
  const isFailed = status === "dead" || status === "canceled";
  const total = Object.values(counts ?? {}).reduce((all, one) => all + one, 0);
  return (
    <>
      {isDone && (
        <Alert color="parley" role="status" data-testid="person-erased">
          {counts ? t("erased", { count: total, name }) : t("erasedAll", { name })}
        </Alert>
      )}
      {isFailed && (
        <Alert color="red" role="alert">
          {t("notErased")}
        </Alert>
      )}
      {!isDone && !isFailed && (
        <div role="status" data-testid="erasing">
          <Text size="sm" mb="xs">
            {t("erasingNow")}
          </Text>
          <Progress value={Math.max(5, (job.data?.progress ?? 0) * 100)} animated aria-label={t("erasingNow")} />
        </div>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close} data-testid="close-erased">
          {t("close")}
        </Button>
      </Group>
    </>
  );
}
