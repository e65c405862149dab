/** Categories of stickers with their moods. */
export const STICKER_CATEGORIES = {
  happy: ["开心", "快乐", "高兴", "幸福", "黏人"],
  smile: ["得意", "放松", "微笑", "平静", "期待"],
  laugh: ["笑"],
  angry: ["生气", "愤怒"],
  cry: ["委屈", "伤心", "难过", "哭", "受伤"],
  pout: ["沉默"],
  shocked: ["不安", "害怕", "紧张"],
  blush: ["害羞", "脸红", "感动", "依赖"],
  facepalm: ["尴尬", "无语"],
} as const;
/** Name of a category of stickers. */
export type StickerCategory = keyof typeof STICKER_CATEGORIES;

/** The default mood. */
export const CALM = "平静";

const CATEGORY_BY_MOOD: ReadonlyMap<string, StickerCategory> = new Map(
  Object.entries(STICKER_CATEGORIES).flatMap(([category, moods]) =>
    moods.map((mood): [string, StickerCategory] => [mood, category as StickerCategory]),
  ),
);

/** Returns the sticker category of a mood; null for an unknown mood. */
export function stickerCategoryOf(mood: string): StickerCategory | null {
  return CATEGORY_BY_MOOD.get(mood.trim()) ?? null;
}
