/** Irregular forms with their words, so that `go` finds `went`. */
const FORMS = `
be am is are was were been being|have has had having|do does did done|go goes went gone|say said|get got gotten|make made
know knew known|think thought|take took taken|see saw seen|come came|find found|give gave given|tell told|feel felt
become became|leave left|mean meant|keep kept|begin began begun|show shown|hear heard|run ran|bring brought|write wrote written
sit sat|stand stood|lose lost|pay paid|meet met|lead led|understand understood|speak spoke spoken|spend spent|grow grew grown
win won|teach taught|buy bought|send sent|fall fell fallen|build built|sell sold|choose chose chosen|eat ate eaten
drink drank drunk|drive drove driven|fly flew flown|sing sang sung|swim swam swum|wear wore worn|break broke broken
catch caught|fight fought|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|hide hid hidden|hold held
ride rode ridden|ring rang rung|rise rose risen|shake shook shaken|shoot shot|sleep slept|steal stole stolen|stick stuck
throw threw thrown|wake woke woken|draw drew drawn|blow blew blown|bite bit bitten|dig dug|feed fed|hang hung|lend lent
sweep swept|swear swore sworn|tear tore torn|weep wept|wind wound|bind bound|deal dealt|dream dreamt|learn learnt|burn burnt
spell spelt|bend bent|seek sought|shine shone|sink sank sunk|spin spun|spring sprang sprung|strike struck|weave wove woven
child children|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese|person people|wife wives|life lives|knife knives
leaf leaves|half halves|wolf wolves|shelf shelves|thief thieves|loaf loaves|good better best|bad worse worst
`;

export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split(/[|\n]/)
    .flatMap((line) => {
      const [word = "", ...forms] = line.trim().split(" ");
      return forms.map((form) => [form, word] as const);
    }),
);
