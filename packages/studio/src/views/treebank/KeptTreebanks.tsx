import { useEffect, useState } from "preact/hooks";
import { reason, say } from "../../state/shown/say.js";
import { sentenceStates } from "../../state/storage/journal.js";
import { timesKept } from "../../state/storage/keep-treebank.js";
import { exportKept, type KeptTreebank, kept, readKeptTreebanks, removeKept } from "../../state/treebank/kept.js";
import { restoreTreebank } from "../../state/treebank/open.js";
import { HeadRow } from "../common/HeadRow.js";

/** All treebanks that are kept in the browser: state, size, last change, and what can be done with them. */
export function KeptTreebanks() {
  useEffect(() => void readKeptTreebanks(), [sentenceStates.value, timesKept.value]);
  if (!kept.value || kept.value.length === 0) return null;
  return (
    <section class="card kept-treebanks" aria-label="Kept in this browser">
      <h2>Kept in this browser</h2>
      <div class="table-scroll">
        <table>
          <HeadRow titles={["Treebank", "State", "Size", "Last change", ""]} />
          <tbody>
            {kept.value.map((one) => (
              <Row key={one.key} treebank={one} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ treebank }: { treebank: KeptTreebank }) {
  const { key, name, bytes, edited, done, time, isUnsaved } = treebank;
  const [asked, setAsked] = useState(false);
  const work = [edited > 0 && `${edited} edited`, done > 0 && `${done} done`].filter(Boolean).join(", ");
  return (
    <tr>
      <td>
        <button type="button" class="small" onClick={() => void restoreTreebank(key)}>
          {name}
        </button>
      </td>
      <td>
        {work || "as the file"}
        {isUnsaved && <span class="badge warn">not saved to a file</span>}
      </td>
      <td>{bytes < 1e5 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`}</td>
      <td>{new Date(time).toLocaleString()}</td>
      <td>
        <button
          type="button"
          class="small"
          onClick={() => exportKept(key).catch((error) => say(`${name} was not saved: ${reason(error)}`))}
        >
          Export
        </button>{" "}
        <button type="button" class="small" onClick={() => (asked ? void removeKept(key) : setAsked(true))}>
          {asked ? (isUnsaved ? "Remove with its unsaved changes" : "Remove for good") : "Remove"}
        </button>
      </td>
    </tr>
  );
}
