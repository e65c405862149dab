/** Passages in one language, and for each a question in the other. */
const PAIRS: readonly (readonly [passage: string, question: string])[] = [
  ["图书馆周一闭馆，其余日子上午九点开放。", "On which day is the library closed?"],
  ["员工每年享有十五天带薪年假，须提前两周申请。", "How many vacation days do employees get in a year?"],
  ["退货须在收到商品后七天内提出，运费由买家承担。", "Who pays the shipping for a return?"],
  ["会议室需要通过前台预约，每次最多两小时。", "How do I reserve the meeting room?"],
  ["如果忘记密码，请点击登录页面上的链接，系统会发送邮件。", "What should I do if I forgot my password?"],
  ["小梅对花生过敏，所以聚餐时不要点宫保鸡丁。", "Which food is Mei allergic to?"],
  ["我爷爷以前是火车司机，退休后喜欢钓鱼。", "What was the grandfather's profession?"],
  ["宠物狗乘坐地铁时必须放在笼子里。", "May I take my dog on the subway?"],
  ["手术后一周内不要洗澡，伤口要保持干燥。", "When may I take a bath after the surgery?"],
  ["电池充满大约需要三个小时，期间指示灯为红色。", "How long does it take to charge the battery?"],
  ["她和丈夫是在大学的合唱团认识的。", "Where did she meet her husband?"],
  ["房租每月五号之前支付，包含水费，不含电费。", "When is the rent due each month?"],
  ["儿童票半价，一米二以下免费入场。", "How much is a ticket for children?"],
  ["机器发出噪音时，请先检查滤网是否堵塞。", "What should I check when the machine makes noise?"],
  ["周末的烹饪课改到六月十二日，地点不变。", "To which date was the cooking class moved?"],
  ["合同到期前一个月任何一方都可以书面通知终止。", "How can the contract be ended?"],
  ["The kitchen is open to all members from six in the morning until ten at night.", "厨房什么时候可以使用？"],
  [
    "Parking in the yard is reserved for residents; visitors use the garage across the street.",
    "访客的车应该停在哪里？",
  ],
  ["Her daughter plays the violin in the city's youth orchestra.", "她女儿会什么乐器？"],
  ["Expenses for travel are refunded within thirty days after the receipts were handed in.", "旅行费用多久能报销？"],
  ["Do not open the cover while the machine is running: danger of electric shock.", "为什么机器运行时不能打开盖子？"],
  ["The museum offers guided tours in English every Sunday afternoon.", "博物馆星期天有什么导览？"],
  ["Tom quit his job at the bank to open a small bakery with his sister.", "汤姆为什么从银行辞职？"],
  ["Children under twelve may use the pool only together with an adult.", "孩子可以一个人去游泳池吗？"],
  ["The doctor told him to drink less coffee and to sleep eight hours.", "医生给了他什么建议？"],
  ["Backups run every night at two and are stored for ninety days.", "备份保存多长时间？"],
  ["The wedding will take place in a small church near the lake in September.", "婚礼在哪里举行？"],
  ["If the elevator stops, press the yellow button and wait for an answer.", "电梯停了应该怎么办？"],
  ["Our flight was cancelled because of the storm, so we took the night train.", "航班为什么取消了？"],
  ["Vegetarian dishes are marked with a green leaf on the menu.", "菜单上素食怎么标记？"],
  ["Smoking is forbidden in all rooms, on the stairs and in the garden.", "哪里禁止吸烟？"],
  ["Invoices are sent by e-mail on the first day of each month.", "发票什么时候寄出？"],
];

/** The corpus of these pairs, one passage each. */
export function createCrossLanguageCorpus() {
  const texts = PAIRS.map(([text], at) => ({ id: `x${at}`, group: `x${at}`, place: 0, text, time: at, part: "all" }));
  const questions = PAIRS.map(([, text], at) => ({ text, kind: "crossed", part: "all", gold: [`x${at}`] }));
  return { name: "cross_language", texts, questions };
}
