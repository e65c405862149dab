import { Button, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { formatShortTime } from "../../shared/ui/common.tsx";
import { useSearchText } from "../../shared/ui/page/address.ts";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { useChannelName } from "../../shared/ui/text/use-channel-name.ts";
import { type Person, people } from "./api.ts";
import { ErasePerson } from "./erase-person.tsx";
import { useTexts } from "./texts.ts";

/** Everyone with a private conversation; their stored data can be exported or erased. */
export function PeoplePage() {
  const { t } = useTexts();
  const person = useSearchText("person") ?? "";
  const [query, setQuery] = useState(person);
  const [q] = useDebouncedValue(query.trim(), 300);
  const [personToErase, setPersonToErase] = useState<Person>();
  const list = usePagedList({
    queryKey: ["person", "list", q],
    read: (page) => people.list(q, page),
    getId: ({ person_id }) => person_id,
    refetchOnMount: "always",
  });
  const close = () => setPersonToErase(undefined);
  return (
    <Page title={t("people")} hint={t("peopleHint")}>
      <TextInput
        aria-label={t("searchPeople")}
        placeholder={t("searchPeople")}
        value={query}
        maxLength={200}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        data-testid="people-search"
      />
      <RecordList
        query={list}
        getId={({ person_id }) => person_id}
        columns={[t("person"), t("channel"), t("conversations"), t("lastWrote")]}
        actions={t("actions")}
        empty={
          <Empty
            icon="people"
            title={t(q === "" ? "noPeople" : "nobodyFound")}
            {...(q === "" && { hint: t("noPeopleHint") })}
          />
        }
        isEndless
        row={(one) => <PersonRow person={one} erase={() => setPersonToErase(one)} />}
      />
      <Dialog
        opened={personToErase !== undefined}
        onClose={close}
        title={t("erasePerson", { name: personToErase ? toPersonName(personToErase) : "" })}
        size="lg"
      >
        {personToErase && (
          <ErasePerson personId={personToErase.person_id} name={toPersonName(personToErase)} close={close} />
        )}
      </Dialog>
    </Page>
  );
}

/** Returns the name of a person; the id without a name. */
function toPersonName({ name, person_id }: Person): string {
  return name.trim() === "" ? person_id : name;
}

function PersonRow({ person, erase }: { readonly person: Person; readonly erase: () => void }) {
  const { t, language } = useTexts();
  const toChannelName = useChannelName();
  const { person_id, channel_id, conversations, last_message_at } = person;
  return (
    <RecordRow
      testId="person-row"
      cells={[
        <>
          <span dir="auto">{toPersonName(person)}</span>
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {person_id}
          </Text>
        </>,
        toChannelName(channel_id),
        conversations.toLocaleString(language),
        <span key="time" style={{ whiteSpace: "nowrap" }}>
          {formatShortTime(last_message_at, language)}
        </span>,
      ]}
      actions={
        <RequireChangeScope>
          <Button
            component="a"
            href={people.toExportPath(person_id)}
            download
            size="compact-sm"
            variant="subtle"
            data-testid="export-person"
          >
            {t("exportPerson")}
          </Button>
          <Button size="compact-sm" variant="subtle" color="red" onClick={erase} data-testid="erase-person">
            {t("erase")}
          </Button>
        </RequireChangeScope>
      }
    />
  );
}
