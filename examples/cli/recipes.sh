#!/usr/bin/env bash
# Recipes for the shell: bash examples/cli/recipes.sh. It writes to a temporary folder, which is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH="$PWD/node_modules/.bin:$PATH"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cat > "$folder/story.txt" <<'END'
The cat chased a mouse. The mouse was seen by the dog. The dog chased the cat.
END

echo "== a tree in the terminal"
stemma parse --to tree "The old mill wheel turns slowly in the spring."

echo "== a text as CoNLL-U, with the offsets of every token"
stemma parse --offsets "$folder/story.txt" -o "$folder/story.conllu"
head -n 8 "$folder/story.conllu"

echo "== one JSON object for each sentence"
stemma parse --json "$folder/story.txt" | head -c 300
echo

echo "== who chases whom"
stemma search '{lemma:chase} >nsubj {}=who >obj {}=whom' --count-by who.lemma,whom.lemma "$folder/story.conllu"

echo "== the most frequent relations"
cut -f 8 "$folder/story.conllu" | grep -v '^#' | grep . | sort | uniq -c | sort -rn | head -n 5

echo "== a picture"
stemma draw --sentence 1 --format svg -o "$folder/tree.svg" "$folder/story.conllu"
head -c 80 "$folder/tree.svg"
echo

echo "== the model's own beam of 2 against a beam of 8: how often do they agree?"
stemma parse --beam 8 "$folder/story.conllu" -o "$folder/beam.conllu"
stemma evaluate "$folder/story.conllu" "$folder/beam.conllu" | grep -E "UAS|LAS"

echo "== how arc-hybrid builds a tree, step by step"
stemma trace --system arc-hybrid --sentence 1 "$folder/story.conllu" | head -n 8
