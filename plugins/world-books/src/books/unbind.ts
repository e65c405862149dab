import type { Characters } from "@parley/core";

const PAGE_SIZE = 500;

export async function unbindBookFromCharacters(characters: Characters | undefined, bookId: string): Promise<void> {
  if (!characters) return;
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { items, total } = await characters.page({ limit: PAGE_SIZE, offset, sort: "created_at" });
    for (const { id, world_book_ids } of items) {
      if (!world_book_ids.includes(bookId)) continue;
      await characters.update(id, { world_book_ids: world_book_ids.filter((one) => one !== bookId) });
    }
    if (items.length === 0 || offset + items.length >= total) return;
  }
}
