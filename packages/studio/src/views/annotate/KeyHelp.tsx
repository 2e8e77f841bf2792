const KEYS: readonly [keys: string, what: string][] = [
  ["N, P", "next and previous sentence of the search"],
  ["D", "done, or not"],
  ["Ctrl+Enter", "done, and on to the next sentence that is not"],
  ["Ctrl+Z, Ctrl+Shift+Z", "undo and redo, across sentences"],
  ["Ctrl+S", "write the file"],
  ["arrow keys, Home, End", "from cell to cell in the table, from word to word in the tree"],
  ["Enter, F2", "edit the cell; Enter takes what is typed, Tab goes on to the next cell, Escape gives up"],
  ["C", "take the word's arc, and the tags that it lacks, from the prediction"],
  ["F", "fix the word's arc for further parses, or let it go"],
  ["R", "parse what is not fixed again"],
  ["S", "split the word"],
  ["J", "join the word with the next one"],
  ["M", "make a multiword token with the next word, or take it apart"],
  ["E, Delete", "add an empty node after the word; remove the empty node"],
  ["Shift+S", "begin a new sentence with the word"],
  ["Shift+J", "join the sentence with the next one"],
];

/** All that the keyboard does here. */
export function KeyHelp() {
  return (
    <details class="card key-help">
      <summary>Keys</summary>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
