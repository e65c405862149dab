import { stemmer } from "stemmer";
import { IRREGULAR } from "./irregular-words.ts";

/** Everyday words that stand for one another, in both languages of the console; of Chinese ones those of two characters. */
const GROUPS = `
doctor dr physician medic surgeon gp 医生 大夫 医师|hospital clinic infirmary ward 医院 诊所|ill sick unwell sickness illness disease 生病 患病 疾病
hurt injure injury wound wounded bruise sprain 受伤 伤了 弄伤|medicine drug pill medication tablet 药物 药片 吃药|pain ache sore 疼痛 疼了
allergy allergic intolerant intolerance rash 过敏|tired exhausted weary sleepy 疲惫 疲倦 累了|die death dead pass decease 去世 死亡 逝世|born birth birthday 生日 出生 诞生
work job employment occupation profession position career employ 工作 上班 职业 职位|boss manager supervisor chief 老板 经理 上司 主管|colleague coworker 同事
company firm business employer corporation 公司 企业 单位|salary wage pay income earnings 工资 薪水 收入|resign quit dismiss fire 辞职 离职 解雇|hire recruit employ 雇用 聘用 招聘
office workplace 办公|meeting conference appointment 会议 开会|retire retirement pension 退休|business trade commerce 生意 贸易
move relocate relocation 搬家 搬到 搬去 迁居|house home flat apartment residence dwelling 房子 住所 公寓 新家|live reside dwell 居住 住在|city town place 城市 城镇|country nation land 国家
rent lease tenancy 租房 租金|neighbour neighbor 邻居|street road avenue lane 街道 马路|room chamber 房间|kitchen 厨房|garden yard 花园 院子
buy purchase acquire 购买 买了 买下|sell sale 出售 卖了 卖掉|price cost fee charge expense 价格 价钱 费用 多少钱|cheap inexpensive affordable 便宜|expensive costly pricey dear 昂贵
money cash funds 金钱 现金|shop store market supermarket 商店 店铺 超市|gift present 礼物 礼品|lend loan borrow 借给 借出 借了|owe debt 欠款 债务|bill invoice receipt 账单 发票
car automobile vehicle 汽车 轿车 车子|bike bicycle cycle 单车|train railway rail 火车 列车|plane aircraft airplane flight 飞机 航班|ship boat vessel 轮船 小船|bus coach 公交 巴士
travel trip journey tour voyage holiday vacation 旅行 旅游 度假 旅途|fly flight 飞往 飞去|hotel inn hostel 酒店 旅馆 宾馆|passport visa 护照 签证|luggage suitcase baggage 行李|ticket 车票 门票
film movie cinema picture 电影 影片|book novel 书籍 小说|read reading 阅读 读书|music song melody tune 音乐 歌曲|sing singer 唱歌 歌手|dance dancing 跳舞 舞蹈|theatre theater stage 剧院 剧场
instrument 乐器|practise practice train exercise rehearse 练习 训练 锻炼|sport exercise fitness 运动 体育 健身|football soccer 足球|game match play 比赛 游戏|win victory 获胜 赢了|lose defeat 输了 失败
hobby pastime interest 爱好 兴趣 嗜好|paint painting draw 画画 绘画|photo photograph picture 照片 相片|camera 相机|walk hike stroll 散步 徒步|run jog 跑步|swim swimming 游泳|climb climbing 攀登 攀岩
pet 宠物|dog puppy hound 小狗 狗狗|cat kitten feline 小猫 猫咪|bird parrot 小鸟 鹦鹉|adopt adoption rescue shelter 领养 收养
food meal dish cuisine 食物 饭菜 食品|eat eating consume dine 吃饭 用餐|breakfast 早餐 早饭|lunch 午餐 午饭|dinner supper 晚餐 晚饭|drink beverage sip 饮料 喝的|coffee espresso 咖啡|tea 喝茶 茶叶
cook bake chef 做饭 烹饪 厨师|restaurant cafe diner 餐厅 饭店 餐馆|sweet dessert cake 甜点 蛋糕|hungry hunger 饥饿|recipe 食谱 菜谱
wife spouse husband partner 妻子 丈夫 老婆 老公 爱人|marry marriage wedding wed 结婚 婚礼 婚姻|divorce separate 离婚 分手|girlfriend boyfriend lover date 女友 男友 恋人
mother mum mom 母亲 妈妈|father dad 父亲 爸爸|parent 父母|child kid son daughter 孩子 儿子 女儿 小孩|brother sibling 哥哥 弟弟 兄弟|sister sibling 姐姐 妹妹 姐妹|grandmother grandma 奶奶 外婆|grandfather grandpa 爷爷 外公
friend pal buddy mate 朋友 好友|family relative 家人 亲戚 家庭|baby infant newborn 婴儿 宝宝|guest visitor 客人|teacher tutor instructor coach 老师 教师 教练 导师|student pupil learner 学生 学员
school college university academy 学校 大学 学院|learn study 学习 学会|teach instruct 教授 教学|exam test quiz 考试 测验|course class lesson 课程 上课|degree diploma graduate 学位 毕业
start begin commence launch 开始 启动|end finish stop conclude complete 结束 完成 停止|change switch replace 改变 更换 换了|break broken damage damaged smash 弄坏 损坏 打破 坏了|repair fix mend 修理 修好 维修
build construct make create 建造 制作 做成|material fabric stuff 材料 原料|wood wooden timber 木头 木材|lose lost missing misplace 丢失 弄丢 丢了|find discover 发现 找到|hide conceal 躲藏 隐藏
fear afraid scared frighten terrify 害怕 恐惧|angry anger furious mad 生气 愤怒|argue argument quarrel dispute row 吵架 争吵 争执|happy glad joy pleased 高兴 快乐 开心|sad unhappy upset 难过 伤心 悲伤
love adore like fond 喜欢 喜爱|hate dislike detest 讨厌 厌恶|want wish desire 想要 希望|favourite favorite prefer preferred 最爱 偏爱|worry anxious nervous 担心 焦虑 紧张|surprise astonish 惊讶 惊喜
promise pledge vow 答应 承诺 保证|decide decision choose choice 决定 选择|plan intend intention 计划 打算|agree consent approve 同意 赞成|refuse reject decline deny 拒绝|help assist support aid 帮助 帮忙 协助
ask question inquire 询问 提问|answer reply respond response 回答 回复|tell say inform mention 告诉 提到|talk speak chat conversation 聊天 谈话 交谈|call phone telephone ring 电话 打给|letter mail post 信件 邮件|email mail 邮箱 邮件
name call title named 名字 名叫 叫做 称呼|age old 年龄 岁数|address location 地址 位置|number 号码 数字|language tongue 语言|colour color 颜色|size 尺寸 大小|weight weigh 体重 重量
problem issue trouble difficulty fault 问题 麻烦 困难 故障|error mistake bug 错误 失误|idea thought opinion view 想法 意见 看法|reason cause why because 原因 理由|result outcome consequence 结果 后果
rule regulation policy 规定 规则 制度|law legal 法律|contract agreement deal 合同 协议|document file paper record 文件 文档 资料|password passcode 密码 口令|account login 账号 账户|software program app application 软件 程序 应用
computer laptop pc 电脑 计算机|phone mobile smartphone cellphone 手机|internet web online 网络 互联 网上|screen display monitor 屏幕 显示|delete remove erase 删除 移除|install setup 安装 设置
accompany together join 陪同 一起 陪着|visit attend 拜访 参观 参加|arrive arrival reach 到达 抵达|leave depart departure 离开 出发|return back 回来 返回|wait 等待|open opening 开门 开放|close closing shut 关门 关闭
rain rainy 下雨 雨天|snow snowy 下雪|weather climate 天气 气候|hot warm heat 炎热 温暖|cold cool chilly 寒冷 凉爽|fire burn blaze 火灾 着火|police officer cop 警察 公安|steal theft rob thief 偷窃 被盗 小偷|accident crash collision 事故 车祸
morning dawn 早上 早晨 清晨|evening night 晚上 傍晚 夜晚|party celebration celebrate festivity 聚会 庆祝 派对|plant flower 植物 花草|tree 树木|animal creature 动物|river stream 河流|sea ocean 大海 海洋|mountain hill 高山 山上|beach coast shore 海滩 海边
`;

const synonyms = new Map<string, Set<string>>();
for (const group of GROUPS.trim().split(/[|\n]/)) {
  const terms = group.split(" ").map((word) => (/^[a-z]+$/.test(word) ? stemmer(IRREGULAR.get(word) ?? word) : word));
  for (const term of terms) {
    const known = synonyms.get(term) ?? new Set();
    for (const other of terms) if (other !== term) known.add(other);
    synonyms.set(term, known);
  }
}

/** Terms that may stand in a text where this one stands in a question. */
export function synonymsOf(term: string): ReadonlySet<string> {
  return synonyms.get(term) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
