/** The first row of a table: the titles of its columns. A column of buttons has none to be seen. */
export function HeadRow({ titles }: { titles: readonly string[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title, i) => (
          <th key={i} scope="col">
            {title || <span class="unseen">Actions</span>}
          </th>
        ))}
      </tr>
    </thead>
  );
}
