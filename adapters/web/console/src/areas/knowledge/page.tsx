import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../../shared/api/client.ts";
import { Loaded } from "../../shared/ui/common.tsx";

/** The documents that are there. */
export function KnowledgePage() {
  const documents = useQuery({ queryKey: ["knowledge"], queryFn: () => parley.get("/api/knowledge") });
  return (
    <div className="page">
      <Title order={1}>Knowledge</Title>
      <Loaded query={documents}>
        {({ items }) => (
          <ul>
            {items.map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  );
}
