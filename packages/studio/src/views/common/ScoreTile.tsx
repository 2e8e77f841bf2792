/** A figure with what it is, and what it is of. */
export function ScoreTile({ title, value, of }: { title: string; value: string; of?: string }) {
  return (
    <div class="score-tile">
      <span>{title}</span>
      <b>{value}</b>
      {of && <small>{of}</small>}
    </div>
  );
}
