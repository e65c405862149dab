import { Button, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Loaded, shortTimeOf } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { Dialog, Page } from "../../shared/ui/page.tsx";
import { RecordRow, RecordTable } from "../../shared/ui/record-table.tsx";
import { ShowMore, useLonger } from "../../shared/ui/show-more.tsx";
import { useChannelName } from "../../shared/ui/use-channel-name.ts";
import { type Person, people } from "./api.ts";
import { ErasePerson } from "./erase-person.tsx";
import { useTexts } from "./texts.ts";

const STEP = 50;

/** Everyone who wrote in private, and what is stored about them: to take along, or to erase. */
export function PeoplePage() {
  const { t } = useTexts();
  const { person = "" } = useSearch({ strict: false }) as { readonly person?: string };
  const [typed, setTyped] = useState(person);
  const [q] = useDebouncedValue(typed.trim(), 300);
  const [doomed, setDoomed] = useState<Person>();
  const longer = useLonger(STEP);
  const { limit } = longer;
  const list = useQuery({
    queryKey: ["person", "list", q, limit],
    queryFn: () => people.list(q, limit),
    refetchOnMount: "always",
    placeholderData: keepPreviousData,
  });
  const close = () => setDoomed(undefined);
  return (
    <Page title={t("people")} hint={t("peopleHint")}>
      <TextInput
        aria-label={t("searchPeople")}
        placeholder={t("searchPeople")}
        value={typed}
        maxLength={200}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-testid="people-search"
      />
      <Loaded query={list}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty
              icon="people"
              title={t(q === "" ? "noPeople" : "nobodyFound")}
              {...(q === "" && { hint: t("noPeopleHint") })}
            />
          ) : (
            <>
              <RecordTable
                columns={[t("person"), t("channel"), t("conversations"), t("lastWrote")]}
                actions={t("actions")}
              >
                {items.map((one) => (
                  <PersonRow key={one.person_id} person={one} erase={() => setDoomed(one)} />
                ))}
              </RecordTable>
              <ShowMore {...longer} shown={items.length} total={total} />
            </>
          )
        }
      </Loaded>
      <Dialog
        opened={doomed !== undefined}
        onClose={close}
        title={t("erasePerson", { name: doomed ? nameOf(doomed) : "" })}
        size="lg"
      >
        {doomed && <ErasePerson personId={doomed.person_id} name={nameOf(doomed)} close={close} />}
      </Dialog>
    </Page>
  );
}

/** Returns the name of a person, or the id where there is none. */
function nameOf({ name, person_id }: Person): string {
  return name.trim() === "" ? person_id : name;
}

function PersonRow({ person, erase }: { readonly person: Person; readonly erase: () => void }) {
  const { t, language } = useTexts();
  const channel = useChannelName();
  const { person_id, channel_id, conversations, last_message_at } = person;
  return (
    <RecordRow
      testId="person-row"
      cells={[
        <>
          <span dir="auto">{nameOf(person)}</span>
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {person_id}
          </Text>
        </>,
        channel(channel_id),
        conversations.toLocaleString(language),
        <span key="time" style={{ whiteSpace: "nowrap" }}>
          {shortTimeOf(last_message_at, language)}
        </span>,
      ]}
      actions={
        <Changes>
          <Button
            component="a"
            href={people.exportOf(person_id)}
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
        </Changes>
      }
    />
  );
}
