import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Character } from "../../../shared/api/characters.ts";
import { MAX_LIMIT_QUERY, parley } from "../../../shared/api/client.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { useTexts } from "../texts.ts";
import { DEFAULT_SESSION_ID, RelationshipState } from "./relationship-state.tsx";

/** The mood and relationships of a character in a conversation, now and over time. */
export function CharacterState({ character: { id } }: { readonly character: Character }) {
  const { t } = useTexts();
  const sessions = useQuery({
    queryKey: ["session", "of", id],
    queryFn: () => parley.get("/api/sessions", { query: { character_id: id, ...MAX_LIMIT_QUERY } }),
  });
  const [chosen, setChosen] = useState<string>();
  return (
    <Loaded query={sessions}>
      {({ items }) => {
        const sessionId = chosen ?? items[0]?.id ?? DEFAULT_SESSION_ID;
        return (
          <>
            <NativeSelect
              label={t("conversation")}
              maw="24rem"
              mb="md"
              value={sessionId}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              data={[
                ...items.map(({ id: value, name }) => ({ value, label: name })),
                { value: DEFAULT_SESSION_ID, label: t("newConversations") },
              ]}
            />
            <RelationshipState key={sessionId} characterId={id} sessionId={sessionId} />
          </>
        );
      }}
    </Loaded>
  );
}
