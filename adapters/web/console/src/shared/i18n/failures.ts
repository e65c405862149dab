type Chinese = typeof import("@parley/core/chinese");

let chinese: Chinese | undefined;

/** Only who reads Chinese loads what failures say in it. */
export async function loadChinese(): Promise<void> {
  chinese = await import("@parley/core/chinese");
}

/** The Chinese message of an error; undefined for an unknown one. */
export const chineseOf: Chinese["chineseOf"] = (failure) => chinese?.chineseOf(failure);

/** The service's own sentence for who reads Chinese: behind what its code means. */
export const chineseByCode: Chinese["chineseByCode"] = (code, sentence) =>
  chinese?.chineseByCode(code, sentence) ?? sentence;
