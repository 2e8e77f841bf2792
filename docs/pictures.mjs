// Takes the pictures of Studio for the README and docs/studio.md: node docs/pictures.mjs (after npm run build) writes
// docs/images/studio-step.png, studio-parse.png and studio-annotate.png. Needs Chromium: in $CHROMIUM or in the PATH.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createStudioServer } from "../packages/cli/dist/commands/parsing/studio-server.js";

const { chromium } = createRequire(new URL("../packages/studio/package.json", import.meta.url))("playwright-core");
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

const names = ["chromium", "chromium-browser", "google-chrome"];
const folders = (process.env.PATH ?? "").split(delimiter);
const executablePath =
  process.env.CHROMIUM ?? folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync);
if (!executablePath) throw new Error("no Chromium: set CHROMIUM to the path of one");

const server = await createStudioServer(path("../packages/studio/dist"), [path("../packages/model-en/en.stemma")]);
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const page = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });

/** Opens the page in a state, lets `prepare` bring about what is to be seen, and takes a picture. */
async function picture(file, { view, state, height, colorScheme }, prepare) {
  const context = await browser.newContext({ viewport: { width: 1180, height }, deviceScaleFactor: 1.5, colorScheme });
  const tab = await context.newPage();
  await tab.goto(`${page}#${view}?${new URLSearchParams(state)}`);
  await tab.waitForSelector(".model-chip.ready");
  await prepare(tab);
  // Movements have to be over.
  await tab.waitForTimeout(500);
  await tab.screenshot({ path: path(`images/${file}`) });
  await context.close();
}

// The gold tree attaches the telescope to the children, the model to the watching.
const heads = "2.det~3.nsubj~0.root~5.det~3.obj~8.case~8.det~5.nmod~11.case~11.det~3.obl~3.punct";
const text = "The gardener watched the children with the telescope from the roof.";
const step = { view: "step", state: { t: text, g: `1~${heads}`, k: "12" }, height: 890, colorScheme: "light" };
await picture("studio-step.png", step, (tab) => tab.waitForSelector("text=First mistake"));

const parse = { view: "parse", state: {}, height: 700, colorScheme: "dark" };
await picture("studio-parse.png", parse, async (tab) => {
  await tab.fill("#text", "The old lighthouse keeper waved at every ship that passed.");
  await tab.locator("#text").blur();
  await tab.hover('.tree-svg .word:has-text("keeper")');
  await tab.waitForSelector("text=Confidence");
});

// A treebank with a mistake: the window does not determine the boats.
const harbour = `# sent_id = harbour-1
# text = The keeper can't see the old boats from his window.
1 The the DET DT Definite=Def|PronType=Art 2 det _ _
2 keeper keeper NOUN NN Number=Sing 5 nsubj _ _
3-4 can't _ _ _ _ _ _ _ _
3 ca can AUX MD VerbForm=Fin 5 aux _ _
4 n't not PART RB _ 5 advmod _ _
5 see see VERB VB VerbForm=Inf 0 root _ _
6 the the DET DT Definite=Def|PronType=Art 8 det _ _
7 old old ADJ JJ Degree=Pos 8 amod _ _
8 boats boat NOUN NNS Number=Plur 5 obj _ _
9 from from ADP IN _ 11 case _ _
10 his his PRON PRP$ Poss=Yes|PronType=Prs 11 nmod:poss _ _
11 window window NOUN NN Number=Sing 8 det _ SpaceAfter=No
12 . . PUNCT . _ 5 punct _ _

# sent_id = harbour-2
# text = The tide rises.
1 The the DET DT Definite=Def|PronType=Art 2 det _ _
2 tide tide NOUN NN Number=Sing 3 nsubj _ _
3 rises rise VERB VBZ Number=Sing|Person=3|Tense=Pres|VerbForm=Fin 0 root _ SpaceAfter=No
4 . . PUNCT . _ 3 punct _ _

`;
const conllu = harbour.replace(/^\d.*$/gm, (line) => line.replaceAll(" ", "\t"));
await picture(
  "studio-annotate.png",
  { view: "treebank", state: {}, height: 900, colorScheme: "light" },
  async (tab) => {
    await tab.setInputFiles('[aria-label="Treebank file"]', {
      name: "harbour.conllu",
      mimeType: "text/plain",
      buffer: Buffer.from(conllu),
    });
    await tab.locator(".sentence-row").first().waitFor();
    await tab.locator("nav button", { hasText: "Annotate" }).click();
    await tab.waitForSelector(".problems");
    await tab.waitForSelector("text=The model is confident of something else");
  },
);

await browser.close();
server.close();
server.closeAllConnections();
