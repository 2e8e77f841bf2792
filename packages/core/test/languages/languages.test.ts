import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { identifyLanguage, LANGUAGES, languageOf, misfit } from "../../src/languages.js";

const PARAGRAPHS: Readonly<Record<string, string>> = {
  en: "The old mill beside the river has not turned for many years, and nobody in the village remembers why it was closed.",
  de: "Die alte Mühle am Fluss steht seit vielen Jahren still, und niemand im Dorf weiß noch, warum sie geschlossen wurde.",
  fr: "Le vieux moulin au bord de la rivière ne tourne plus depuis des années, et personne ne sait pourquoi il a été fermé.",
  es: "El viejo molino junto al río no gira desde hace muchos años, y nadie en el pueblo recuerda por qué lo cerraron.",
  pt: "O velho moinho à beira do rio não gira há muitos anos, e ninguém na aldeia se lembra da razão por que foi fechado.",
  nl: "De oude molen aan de rivier draait al jaren niet meer, en niemand in het dorp weet nog waarom hij gesloten werd.",
  fi: "Joen rannalla oleva vanha mylly ei ole pyörinyt moneen vuoteen, eikä kukaan kylässä muista, miksi se suljettiin.",
  pl: "Stary młyn nad rzeką nie pracuje od wielu lat i nikt we wsi nie pamięta już, dlaczego został wtedy zamknięty.",
  ru: "Старая мельница у реки не работает уже много лет, и никто в деревне не помнит, почему её когда-то закрыли.",
  uk: "Старий млин біля річки не працює вже багато років, і ніхто в селі не пам'ятає, чому його колись закрили.",
  el: "Ο παλιός μύλος δίπλα στο ποτάμι δεν γυρίζει εδώ και πολλά χρόνια και κανείς στο χωριό δεν θυμάται γιατί έκλεισε.",
  he: "הטחנה הישנה ליד הנהר אינה מסתובבת כבר שנים רבות, ואיש בכפר אינו זוכר מדוע סגרו אותה באותו קיץ.",
  ja: "川のそばの古い水車は長い間回っていません。村の人はだれも、なぜそれが閉められたのかを覚えていません。",
  zh: "河边的老磨坊已经很多年没有转动了，村里没有人记得它当时为什么被关闭，也没有人知道它是谁的。",
  ko: "강가의 오래된 물레방아는 여러 해 동안 돌지 않았고, 마을의 아무도 왜 문을 닫았는지 기억하지 못한다.",
};

describe("identifyLanguage", () => {
  it.each(Object.entries(PARAGRAPHS))("knows a paragraph in %s, and is sure", (language, text) => {
    expect(identifyLanguage(text)).toMatchObject({ language, isSure: true });
  });

  it("is not sure of a word, of a language that it does not know, or of nothing", () => {
    expect(identifyLanguage("Bank").isSure).toBe(false);
    const hungarian =
      "A folyó melletti régi malom évek óta nem forog, és a faluban senki sem emlékszik már arra, hogy miért zárták be.";
    expect(identifyLanguage(hungarian).isSure).toBe(false);
    expect(identifyLanguage("ძველი წისქვილი მდინარესთან")).toMatchObject({ language: undefined, script: "Georgian" });
    expect(identifyLanguage("1, 2, 3 … 😀")).toEqual({
      language: undefined,
      isSure: false,
      script: undefined,
      candidates: [],
    });
  });

  it("looks among some languages only, if it is told which", () => {
    expect(identifyLanguage(PARAGRAPHS.pt!, { among: ["es", "fr"] }).language).toBe("es");
    expect(LANGUAGES.length).toBeGreaterThanOrEqual(40);
    expect(() => identifyLanguage(3 as never)).toThrow("text");
    expect(() => identifyLanguage("", { among: "es" as never })).toThrow("among");
  });
});

describe("misfit", () => {
  const model = (origin: Record<string, unknown>) => ({ origin });
  const english = model({ treebank: { name: "en_ewt-ud-train.conllu:2" } });

  it("knows the language of a model by what it records, or by its treebank", () => {
    expect(languageOf(english)).toBe("en");
    expect(languageOf(model({ language: "de", treebank: { name: "en_ewt-ud-train.conllu" } }))).toBe("de");
    expect(languageOf(model({ treebank: { name: "mine.conllu" } }))).toBeUndefined();
  });

  it("tells that a text is in another language than a model's", () => {
    for (const [language, text] of Object.entries(PARAGRAPHS)) {
      expect(misfit(text, english)?.found, language).toBe(language === "en" ? undefined : language);
    }
    expect(misfit("שלום", english)?.message).toBe(
      "the text looks like Hebrew, and the model is for English: its trees mean nothing",
    );
    expect(misfit("ძველი წისქვილი", english)?.message).toContain("written in Georgian letters");
  });

  it("needs to know only that it is not the model's language, not which one of its neighbours", () => {
    const danish = "Hunden gør i haven, og ingen hører den.";
    expect(identifyLanguage(danish).isSure).toBe(false);
    expect(misfit(danish, english)?.message).toMatch(
      /looks like .* or a language near it, and the model is for English: its trees may mean nothing/,
    );
    expect(misfit("Der Hund bellt laut im Garten und niemand hört ihn.", english)?.found).toBe("de");
    expect(misfit("A folyó melletti régi malom évek óta nem forog, és senki sem emlékszik rá.", english)).toBeDefined();
    for (const text of ["Kristen Quinn met Samuel Pak in Toronto.", "Drs. Ali work wonders.", "04/26/2001 07:17 AM"])
      expect(misfit(text, english), text).toBeUndefined();
  });

  it("says nothing where it cannot be sure, or does not know the language of the model", () => {
    for (const text of ["Hello!", "Die Bank", "", "x = f(y) + 3;", "Beijing 北京 is large and old."])
      expect(misfit(text, english), text).toBeUndefined();
    expect(misfit(PARAGRAPHS.he!, model({}))).toBeUndefined();
    expect(misfit(PARAGRAPHS.he!, "xx")).toBeUndefined();
  });

  it("takes a model for Norwegian to be for both of its standards", () => {
    const bokmaal =
      "Den gamle møllen ved elven har ikke gått på mange år, og ingen i bygda husker hvorfor den ble stengt.";
    expect(misfit(bokmaal, "no")).toBeUndefined();
    expect(misfit(PARAGRAPHS.de!, "no")?.found).toBe("de");
  });
});

const SHARED = fileURLToPath(new URL("../../../../../shared/text/more", import.meta.url));

it.runIf(existsSync(SHARED))(
  "is right about 99 % of the paragraphs of all languages, and hardly ever surely wrong",
  async () => {
    const { sourcesIn, tryProfiles } = await import("../../../../models/profiles.mjs");
    const sum = { all: 0, right: 0, surelyWrong: 0 };
    for (const [, counts] of tryProfiles(sourcesIn(undefined, /-(dev|test)\.conllu|^[a-z]{2}\.txt/, 60_000), 10)
      .byLanguage) {
      sum.all += counts.all;
      sum.right += counts.right;
      sum.surelyWrong += counts.surelyWrong;
    }
    expect(sum.all).toBeGreaterThan(500);
    expect(sum.right / sum.all).toBeGreaterThanOrEqual(0.99);
    expect(sum.surelyWrong / sum.all).toBeLessThanOrEqual(0.01);
  },
);
